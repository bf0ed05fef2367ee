import { type JobId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';
import { CLAIM, RELEASE, TAKE_OVER } from '../scripts/claim-script.ts';

/** Who runs a job: written beside the job, from its start until its result is applied. */
export interface Holder {
  /** The process: whether it is alive, its heartbeat says. */
  readonly worker: string;
  /** A number that no other attempt of that worker has. */
  readonly attempt: number;
  /** How many workers the job has lost, one after the other, before this one. */
  readonly lost: number;
}

/** What a worker may do with the ticket it took. */
export type Claim =
  | { readonly kind: 'run'; readonly envelope: JobEnvelope }
  /** Nobody waits for the job: its turn ended, dropped it, or has its result. */
  | { readonly kind: 'gone' }
  /** Its result is known: it lies in the payloads of a turn that was reopened. */
  | { readonly kind: 'done' }
  /** Another attempt has started it and not finished. */
  | { readonly kind: 'held'; readonly envelope: JobEnvelope; readonly holder: Holder };

/** Asks for a job: whether it may be run, and what it is, in one round trip (Q5, Q6). */
export async function claimJob(connection: QueueConnection, jobId: JobId, claimant: Holder): Promise<Claim> {
  const args = [jobId, textOf(claimant)];
  const reply = (await CLAIM.run(connection.redis, { keys: keysOf(connection, jobId), args })) as string[];
  const [kind = '', json = '', holder = ''] = reply;
  switch (kind) {
    case 'run':
      return { kind, envelope: JSON.parse(json) as JobEnvelope };
    case 'held':
      return { kind, envelope: JSON.parse(json) as JobEnvelope, holder: readHolder(holder) };
    default:
      return { kind: kind === 'done' ? 'done' : 'gone' };
  }
}

/**
 * Takes a claim away from a worker that is dead.
 * @returns false if it is no longer as it was seen: then everything has to be asked anew
 */
export async function takeOverJob(
  connection: QueueConnection,
  jobId: JobId,
  seen: Holder,
  claimant: Holder,
): Promise<boolean> {
  const args = [jobId, textOf(seen), textOf(claimant)];
  return (await TAKE_OVER.run(connection.redis, { keys: keysOf(connection, jobId), args })) === 1;
}

/** Whether an attempt still holds its claim. */
export async function holdsJob(connection: QueueConnection, jobId: JobId, holder: Holder): Promise<boolean> {
  const { claims } = connection.keys.turn(turnOfJob(jobId));
  return (await connection.redis.hget(claims, jobId)) === textOf(holder);
}

/** Gives a claim back before the job is tried again, or is handed to another worker. */
export async function releaseJob(connection: QueueConnection, jobId: JobId, holder: Holder): Promise<void> {
  const { claims } = connection.keys.turn(turnOfJob(jobId));
  await RELEASE.run(connection.redis, { keys: [claims], args: [jobId, textOf(holder)] });
}

/** A holder as it is stored. Host names have no spaces. */
export function textOf({ worker, attempt, lost }: Holder): string {
  return `${worker} ${attempt} ${lost}`;
}

/** Reads {@link textOf} back. */
export function readHolder(text: string): Holder {
  const [worker = '', attempt, lost] = text.split(' ');
  return { worker, attempt: Number(attempt ?? 0), lost: Number(lost ?? 0) };
}

function keysOf(connection: QueueConnection, jobId: JobId): string[] {
  const keys = connection.keys.turn(turnOfJob(jobId));
  return [keys.jobs, keys.claims];
}
