/** Jobs that may be in flight at a queue that no worker is known of. */
export const UNKNOWN_ROOM = 64;
/** Jobs that wait in a queue, at least: a worker that is done finds the next one there. */
const LEAST_SLACK = 4;
/**
 * Jobs that wait in a queue are done in about this time, if they are so short that as many as run would be done sooner:
 * results come back in batches, and a newcomer does not notice.
 */
const SLACK_MS = 50;
/** What an orchestrator may have in flight whatever the others have. */
const LEAST_ROOM = 2;

/**
 * How many jobs of a class may be in flight at once: as many as its workers run, and as many again that wait in the
 * queue. The latter pay for the way of a result to the orchestrator and of the next job to a worker; they are also what a
 * newcomer finds before it.
 * @param donePerMs jobs that ended in a millisecond, lately
 * @param capacity jobs that all workers of the class run at once; null when none is known
 */
export function roomOf(capacity: number | null, donePerMs: number): number {
  if (capacity === null) return UNKNOWN_ROOM;
  return capacity + Math.max(LEAST_SLACK, capacity, Math.ceil(donePerMs * SLACK_MS));
}

/**
 * The part of a room that an orchestrator may use while others hold jobs back, too: for each of its tenants what the
 * tenant is due of the whole, divided by the orchestrators that have jobs of it.
 * @param mine tenants that have jobs here
 * @param others the same of each other orchestrator that holds jobs back
 */
export function partOfRoom(
  room: number,
  mine: readonly string[],
  others: readonly (readonly string[])[],
  weightOf: (tenant: string) => number,
): number {
  if (others.length === 0) return room;
  if (mine.length === 0) return Math.max(LEAST_ROOM, Math.floor(room / (others.length + 1)));
  const places = new Map<string, number>();
  for (const tenant of [...mine, ...others.flat()]) places.set(tenant, (places.get(tenant) ?? 0) + 1);
  const all = [...places.keys()].reduce((sum, tenant) => sum + weightOf(tenant), 0);
  const ours = mine.reduce((sum, tenant) => sum + weightOf(tenant) / (places.get(tenant) ?? 1), 0);
  return Math.max(LEAST_ROOM, Math.floor((room * ours) / all));
}
