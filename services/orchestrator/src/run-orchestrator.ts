import type { Config, StepJob } from '@skillyard/contracts';
import { connect, type ExecuteJob, type TurnStoreOptions } from '@skillyard/queue';
import { compose, type Composition } from './composition.ts';
import type { Logger } from './logger.ts';

export interface OrchestratorOptions {
  readonly config: Config;
  /** What relative paths of the configuration were resolved against. */
  readonly baseDir: string;
  readonly redisUrl: string;
  /** Variables that the configuration may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Answers the jobs that need no worker; the executors of the configuration when absent. */
  readonly execute?: ExecuteJob;
  /** The kinds of job that `execute` answers. Default: `memory` and `asset`. */
  readonly inlineKinds?: readonly StepJob['kind'][];
  /** The queue of a job's ticket, in place of what the configuration says; null for none. */
  readonly queueOf?: (job: StepJob) => string | null;
  readonly store?: TurnStoreOptions;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface RunningOrchestrator {
  /** Takes nothing more, finishes what is under way, leaves the rest to the next one. */
  close(): Promise<void>;
}

/**
 * Starts an orchestrator: goes on with every turn that is under way, then takes new ones.
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function runOrchestrator(options: OrchestratorOptions): Promise<RunningOrchestrator> {
  const { config, log } = options;
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: options.redisUrl,
    ...(prefix !== undefined && { prefix }),
    onError: (error) => log.warn({ reason: error.message }, 'connection to Redis'),
  });
  for (const warning of connection.warnings) log.warn(warning);
  let composition: Composition | undefined;
  try {
    composition = await compose(options, connection);
    await composition.start();
  } catch (error) {
    await composition?.stop();
    await connection.close();
    throw error;
  }
  const running = composition;
  return {
    close: async () => {
      await running.stop();
      await connection.close();
    },
  };
}
