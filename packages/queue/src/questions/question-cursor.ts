import { type JobId, SkillyardError } from '@skillyard/contracts';

/** The place of a question among all open ones, the one asked first before the others. */
export interface QuestionPlace {
  readonly askedAtMs: number;
  readonly jobId: JobId;
}

const PLACE = /^([0-9]{1,16})\/([A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_.-]{1,440})$/;

/** A place as a text that nobody has to understand. */
export function textOfPlace({ askedAtMs, jobId }: QuestionPlace): string {
  return Buffer.from(`${askedAtMs}/${jobId}`).toString('base64url');
}

/**
 * Reads {@link textOfPlace} back.
 * @throws SkillyardError INPUT_INVALID
 */
export function readPlace(text: string): QuestionPlace {
  const [, time, jobId] = PLACE.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (time === undefined || jobId === undefined) {
    const message =
      'cursor: this is none that a page of questions gave; leave it out to begin with the oldest question';
    throw new SkillyardError('INPUT_INVALID', message);
  }
  return { askedAtMs: Number(time), jobId: jobId as JobId };
}

/** Orders places. Questions of the same millisecond are ordered by their ids, as Redis does. */
export function comparePlaces(one: QuestionPlace, other: QuestionPlace): number {
  if (one.askedAtMs !== other.askedAtMs) return one.askedAtMs - other.askedAtMs;
  if (one.jobId === other.jobId) return 0;
  return one.jobId < other.jobId ? -1 : 1;
}
