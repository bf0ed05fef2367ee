/**
 * Branded ids. A plain string cannot be passed where a turn or a job is meant.
 *
 * A turn id holds no `.` and no `:`; a job id is the turn id followed by the path of the step instance
 * (`<turn>.3.b1.i42.0.c1`), so that the same job always has the same id. BullMQ refuses `:` in job ids.
 */
declare const brand: unique symbol;

/** Id of one run of a skill. */
export type TurnId = string & { readonly [brand]: 'TurnId' };
/** Id of one step job; derived, never random. */
export type JobId = string & { readonly [brand]: 'JobId' };

const TURN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Checks and brands a turn id.
 * @param value 1 to 64 of `A-Z a-z 0-9 _ -`
 * @throws RangeError if the text is no turn id; ids come from our own code, so this is a bug, not bad input
 */
export function turnId(value: string): TurnId {
  if (!TURN_ID.test(value)) throw new RangeError(`not a turn id: ${JSON.stringify(value)}`);
  return value as TurnId;
}

/** The turn a job belongs to: the part of its id before the first dot. */
export function turnOfJob(id: JobId): TurnId {
  return id.slice(0, id.indexOf('.')) as TurnId;
}
