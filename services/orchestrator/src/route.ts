import { DEFAULT_PRIORITY, DEFAULT_TENANT, type StepJob } from '@skillyard/contracts';
import { effectOf } from '@skillyard/queue';
import type { Telemetry } from '@skillyard/telemetry';
import type { KnownTools, Policy } from './policy/policy.ts';
import type { Route } from './turn-step.ts';

export interface RouteParts {
  /** The queue of a job's ticket; null for a job that no worker does. */
  readonly queueOf: (job: StepJob) => string | null;
  readonly policy: Pick<Policy, 'refusalOfJob' | 'narrow'>;
  /** The tools of the servers, as far as they are known. */
  readonly toolsOf: KnownTools;
  readonly telemetry?: Telemetry | undefined;
}

/**
 * Decides about jobs as they are asked for: whether they may be done, where they go, what a repeat may do, whose they are.
 * What is decided lies in the outbox, so that it holds after a crash as well.
 */
export function routeWith({ queueOf, policy, toolsOf, telemetry }: RouteParts): Route {
  return (asked, { turn, origin }) => {
    const { tenant, priority, roles } = origin;
    const refused = policy.refusalOfJob(roles, asked);
    const job = withAllowedTools(asked, (offered) => policy.narrow(roles, offered, toolsOf));
    const { id: turnId, reopened } = turn.header;
    const place = { turnId, origin, reopened: reopened?.times ?? 0 };
    const traceparent = telemetry?.traceparentOf(place, asked.path);
    return {
      job,
      queue: refused === null ? queueOf(job) : null,
      effect: effectOf(job, turn.header.settings.effects),
      // The outbox is in memory: what is as usual is left out.
      ...(tenant !== DEFAULT_TENANT && { tenant }),
      ...(priority !== DEFAULT_PRIORITY && { priority }),
      ...(traceparent !== undefined && { traceparent }),
      ...(refused !== null && { refused }),
    };
  };
}

/** A model is not told of tools that it may not call. */
function withAllowedTools(job: StepJob, allowed: (offered: readonly string[]) => readonly string[]): StepJob {
  if (job.kind !== 'generate' || job.tools === null) return job;
  const tools = allowed(job.tools);
  return tools === job.tools ? job : { ...job, tools: [...tools] };
}
