import { type JobId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';
import { isResultPosted } from '../results/posted.ts';
import { postKept } from '../results/post-result.ts';
import { claimJob, type Holder, takeOverJob } from './claim.ts';

/** What becomes of a ticket that was taken. */
export type Acquired =
  /** The job is ours to run. */
  | { readonly kind: 'ours'; readonly envelope: JobEnvelope }
  /** It is ours now, and was that of a worker that is dead: to be run again, or to be given up. */
  | {
      readonly kind: 'inherited';
      readonly envelope: JobEnvelope;
      readonly holder: Holder;
      readonly from: Holder;
    }
  /** Somebody works on it. */
  | { readonly kind: 'elsewhere'; readonly holder: Holder }
  /** There is nothing left to do. */
  | { readonly kind: 'over'; readonly reason: 'gone' | 'done' };

export interface AcquireParts {
  readonly connection: QueueConnection;
  /** Whether nobody works any more on a job that somebody has claimed. */
  readonly isAbandoned: (holder: Holder) => Promise<boolean>;
  /** Does what must not be lost while Redis is away. */
  readonly insist: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Makes a job ours, if it is still wanted and nobody alive works on it (Q5, Q6, Q7). */
export async function acquireJob(
  { connection, isAbandoned, insist }: AcquireParts,
  jobId: JobId,
  claimant: Holder,
): Promise<Acquired> {
  for (;;) {
    const claim = await insist(() => claimJob(connection, jobId, claimant));
    if (claim.kind === 'run') return { kind: 'ours', envelope: claim.envelope };
    if (claim.kind === 'done') {
      // Its kept result may have been delivered before the job was asked for: then it was passed over.
      await insist(() => postKept(connection, turnOfJob(jobId), [jobId]));
    }
    if (claim.kind !== 'held') return { kind: 'over', reason: claim.kind };
    const { envelope, holder: from } = claim;
    if (!(await isAbandoned(from))) return { kind: 'elsewhere', holder: from };
    // Looked for before the grasp: a result that is applied in between takes the job with it, and the grasp fails.
    if (await insist(() => isResultPosted(connection, jobId))) return { kind: 'over', reason: 'done' };
    const holder = { ...claimant, lost: from.lost + 1 };
    // Somebody else was here between our look and our grasp: then everything is asked anew.
    if (await insist(() => takeOverJob(connection, jobId, from, holder)))
      return { kind: 'inherited', envelope, holder, from };
  }
}
