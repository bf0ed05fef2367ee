import { SkillyardError, type TurnId } from '@skillyard/contracts';

/** The place of a turn among all turns, newest first. */
export interface TurnPlace {
  readonly submittedAtMs: number;
  readonly turnId: TurnId;
}

const PLACE = /^([0-9]{1,16})\/([A-Za-z0-9_-]{1,64})$/;

/** A place as a text that nobody has to understand. */
export function textOfCursor({ submittedAtMs, turnId }: TurnPlace): string {
  return Buffer.from(`${submittedAtMs}/${turnId}`).toString('base64url');
}

/**
 * Reads {@link textOfCursor} back.
 * @throws SkillyardError INPUT_INVALID
 */
export function readCursor(text: string): TurnPlace {
  const [, time, turnId] = PLACE.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (time === undefined || turnId === undefined) {
    const message =
      'cursor: this is none that a page of turns gave; leave it out to begin with the newest turn';
    throw new SkillyardError('INPUT_INVALID', message);
  }
  return { submittedAtMs: Number(time), turnId: turnId as TurnId };
}

/** Whether one comes after another, newest first. Turns of the same millisecond are ordered by their ids, as Redis does. */
export function comesAfter(one: TurnPlace, other: TurnPlace): boolean {
  if (one.submittedAtMs !== other.submittedAtMs) return one.submittedAtMs < other.submittedAtMs;
  return one.turnId < other.turnId;
}
