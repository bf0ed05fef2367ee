import type { TraceEvent, TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '@skillyard/queue';
import type { Followed } from './listener.ts';

/** Differences that are told of one turn. */
const TOLD = 3;

/** Compares what a listener was sent with what is stored. @returns what is wrong, nothing when all is well */
export async function judge(connection: QueueConnection, followed: Followed): Promise<string[]> {
  const { turnId, plan, received, outcome } = followed;
  const complaints: string[] = [];
  const complain = (what: string): void => void complaints.push(`${turnId} (${plan.kind}): ${what}`);
  if (outcome === null) complain('no outcome was streamed');
  else if (outcome.status !== 'completed' || !outcome.answer.endsWith(plan.input)) {
    complain(`ended as ${outcome.status} with "${outcome.answer}" ${JSON.stringify(outcome.error)}`);
  }
  const stored = await readTrace(connection, turnId);
  const ids = received.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) complain(`${ids.length - new Set(ids).size} events came twice`);
  const expected = stored.map(({ id }) => id);
  const lost = expected.filter((id) => !ids.includes(id));
  if (lost.length > 0) complain(`${lost.length} events were lost: ${lost.slice(0, TOLD).join(', ')}`);
  else if (expected.join() !== ids.join()) complain('its events came in another order, or some came besides');
  const differing = stored.filter(
    ({ id, event }) => received.find((one) => one.id === id)?.text !== JSON.stringify(event),
  );
  if (lost.length === 0 && differing.length > 0) complain(`${differing.length} events came changed`);
  return complaints;
}

/** The events up to the end of the turn; notices may come after it. */
async function readTrace(
  { redis, keys }: QueueConnection,
  turnId: TurnId,
): Promise<{ id: string; event: TraceEvent }[]> {
  const entries = await redis.xrange(keys.turn(turnId).trace, '-', '+');
  const events = entries.map(([id, fields]) => ({ id, event: JSON.parse(fields[1] ?? '{}') as TraceEvent }));
  const end = events.findIndex(({ event }) => event.type === 'turn.finished');
  return end === -1 ? events : events.slice(0, end + 1);
}
