import { type JobId, type ToolEffect, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';
import { CLAIM, RELEASE } from '../scripts/claim-script.ts';

/** What a worker may do with the ticket it took. */
export type Claim =
  | { readonly kind: 'run'; readonly envelope: JobEnvelope }
  /** Nobody waits for the job: its turn ended, dropped it, or has its result. */
  | { readonly kind: 'gone' }
  /** Its result was posted and is not applied yet. */
  | { readonly kind: 'done' }
  /** It must not run twice, and another attempt had started it. */
  | { readonly kind: 'lost'; readonly holder: string };

/**
 * Asks for a job: whether it may be run, and what it is, in one round trip (Q5, Q6).
 * @param attempt a name that no other attempt at any job has, in any process
 */
export async function claimJob(
  connection: QueueConnection,
  jobId: JobId,
  effect: ToolEffect,
  attempt: string,
): Promise<Claim> {
  const keys = connection.keys.turn(turnOfJob(jobId));
  const call = { keys: [keys.jobs, keys.claims], args: [jobId, attempt, effect === 'once' ? '1' : '0'] };
  const [kind, detail] = (await CLAIM.run(connection.redis, call)) as [Claim['kind'], string];
  switch (kind) {
    case 'run':
      return { kind, envelope: JSON.parse(detail) as JobEnvelope };
    case 'lost':
      return { kind, holder: detail };
    default:
      return { kind };
  }
}

/** Gives a claim back before the job is tried again. Only for what provably did not reach its tool (Q6). */
export async function releaseJob(connection: QueueConnection, jobId: JobId, attempt: string): Promise<void> {
  const keys = connection.keys.turn(turnOfJob(jobId));
  await RELEASE.run(connection.redis, { keys: [keys.claims], args: [jobId, attempt] });
}
