import type { Config } from '@skillyard/contracts';
import type { ExecuteJob, OnTransition } from '@skillyard/queue';
import type { Telemetry } from '@skillyard/telemetry';
import type { Logger } from './logger.ts';

/** What a worker is started with. */
export interface WorkerOptions {
  readonly config: Config;
  /** What relative paths of the configuration were resolved against. */
  readonly baseDir: string;
  /** `model`, `builtin`, or classes of tools. */
  readonly classes: readonly string[];
  readonly redisUrl: string;
  /** The environment that keys are read from, and of which child processes get a part. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** What is told to others of jobs; one of its own, as the environment says, when absent. */
  readonly telemetry?: Telemetry | undefined;
  /** Does the jobs; the executors of the configuration when absent. */
  readonly execute?: ExecuteJob;
  /** Jobs at once of each class; what the configuration says when absent. */
  readonly concurrency?: number;
  /** A worker is dead when it has not been heard of for about this long. Default 6 s. */
  readonly lockMs?: number;
  readonly onTransition?: OnTransition;
}
