import { DEFAULT_PRIORITY, DEFAULT_TENANT, type StepJob } from '@skillyard/contracts';
import { effectOf } from '@skillyard/queue';
import type { Route } from './turn-step.ts';

/**
 * Decides about jobs as they are asked for: where they go, what a repeat may do, whose they are.
 * @param queueOf the queue of a job's ticket; null for a job that no worker does
 */
export function routeWith(queueOf: (job: StepJob) => string | null): Route {
  return (job, { turn, origin }) => {
    const { tenant, priority } = origin;
    return {
      job,
      queue: queueOf(job),
      effect: effectOf(job, turn.header.settings.effects),
      // The outbox is in memory: what is as usual is left out.
      ...(tenant !== DEFAULT_TENANT && { tenant }),
      ...(priority !== DEFAULT_PRIORITY && { priority }),
    };
  };
}
