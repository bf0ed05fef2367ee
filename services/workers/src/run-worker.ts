import type { Config } from '@skillyard/contracts';
import {
  connect,
  type ExecuteJob,
  MODEL_CLASS,
  type QueueConnection,
  startStepWorker,
  type StepWorker,
} from '@skillyard/queue';
import { type Logger, logNotice } from './logger.ts';
import { openExecutors, type WorkerExecutor } from './worker-executors.ts';

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
  /** Does the jobs; the executors of the configuration when absent. */
  readonly execute?: ExecuteJob;
}

export interface RunningWorker {
  /** Takes no more jobs, finishes or hands back those under way. */
  close(): Promise<void>;
}

/** Jobs at once, when the configuration does not say: generations mostly wait, tools mostly work. */
const MODEL_CONCURRENCY = 16;
const TOOL_CONCURRENCY = 4;

/**
 * Starts a worker of one or several classes.
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, log } = options;
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: options.redisUrl,
    ...(prefix !== undefined && { prefix }),
    onError: (error) => log.warn({ reason: error.message }, 'connection to Redis'),
  });
  const executor =
    options.execute === undefined ? openExecutors(options, connection) : { execute: options.execute };
  let workers: StepWorker[] = [];
  try {
    workers = await startAll(options, connection, executor.execute);
  } catch (error) {
    await close(connection, executor, workers);
    throw error;
  }
  return { close: () => close(connection, executor, workers) };
}

async function startAll(
  { classes, config, log }: WorkerOptions,
  connection: QueueConnection,
  execute: ExecuteJob,
): Promise<StepWorker[]> {
  return Promise.all(
    classes.map((workerClass) =>
      startStepWorker({
        connection,
        workerClass,
        execute,
        concurrency: config.classes?.[workerClass]?.concurrency ?? defaultConcurrency(workerClass),
        onNotice: (notice) => logNotice(log, notice),
      }),
    ),
  );
}

function defaultConcurrency(workerClass: string): number {
  return workerClass === MODEL_CLASS ? MODEL_CONCURRENCY : TOOL_CONCURRENCY;
}

async function close(
  connection: QueueConnection,
  executor: WorkerExecutor,
  workers: readonly StepWorker[],
): Promise<void> {
  await Promise.all(workers.map((worker) => worker.close()));
  await executor.close?.();
  await connection.close();
}
