import type { Config, StepJob } from '@skillyard/contracts';
import type { ExecuteJob, LeaseTimes, OnTransition, TurnStoreOptions } from '@skillyard/queue';
import type { Telemetry } from '@skillyard/telemetry';
import type { Logger } from './logger.ts';

/** What an orchestrator is started with. */
export interface OrchestratorOptions {
  readonly config: Config;
  /** What relative paths of the configuration were resolved against. */
  readonly baseDir: string;
  readonly redisUrl: string;
  /** Variables that the configuration may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** What is told to others of turns and jobs; one of its own, as the environment says, when absent. */
  readonly telemetry?: Telemetry | undefined;
  /** Answers the jobs that need no worker; the executors of the configuration when absent. */
  readonly execute?: ExecuteJob;
  /** The kinds of job that `execute` answers. Default: `memory` and `asset`. */
  readonly inlineKinds?: readonly StepJob['kind'][];
  /** The queue of a job's ticket, in place of what the configuration says; null for none. */
  readonly queueOf?: (job: StepJob) => string | null;
  readonly store?: Pick<TurnStoreOptions, 'retentionSeconds'>;
  /** How long shards stay ours without a renewal. */
  readonly leases?: LeaseTimes;
  /** Between two passes over the live turns of a shard, on average. */
  readonly sweepEveryMs?: number;
  /** Before the second attempt at telling an address of the end of a turn. */
  readonly webhookRetryMs?: number;
  /** Between two signs of life of an event stream, at each of which its caller is looked at again. */
  readonly streamHeartbeatMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly onTransition?: OnTransition;
}
