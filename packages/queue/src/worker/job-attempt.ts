import type { AttemptEnd, JobAttempt } from '@skillyard/contracts';
import type { Job } from 'bullmq';
import type { JobEnvelope, Ticket } from '../envelope.ts';
import type { Holder } from './claim.ts';

/** Told of every attempt when it is over. May not throw. */
export type OnAttempt = (attempt: JobAttempt, end: AttemptEnd) => void;

/** What an attempt is, from the ticket and the claim it has. */
export function attemptOf(
  { job, traceparent }: JobEnvelope,
  ticket: Job<Ticket>,
  holder: Holder,
  { workerClass, startedAtMs }: Pick<JobAttempt, 'workerClass' | 'startedAtMs'>,
): JobAttempt {
  const attempt = ticket.attemptsMade + 1;
  const { worker, lost } = holder;
  const enqueuedAtMs = ticket.timestamp;
  const readyAtMs = readySince(ticket, lost);
  return { job, traceparent, workerClass, worker, attempt, lost, enqueuedAtMs, readyAtMs, startedAtMs };
}

function readySince(ticket: Job<Ticket>, lost: number): number | null {
  // What came back from a dead worker did not wait: it was thought to be under way.
  if (lost > 0) return null;
  if (ticket.data.dueAtMs !== undefined) return ticket.data.dueAtMs;
  return ticket.attemptsStarted === 1 ? ticket.timestamp : null;
}
