import {
  connect,
  type ExecuteJob,
  MODEL_CLASS,
  type QueueConnection,
  startStepWorker,
  type StepWorker,
} from '@skillyard/queue';
import { logNotice } from './logger.ts';
import type { WorkerOptions } from './worker-options.ts';
import { openExecutors, type WorkerExecutor } from './worker-executors.ts';

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
  { classes, config, log, lockMs, onTransition }: WorkerOptions,
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
        ...(lockMs !== undefined && { lockMs }),
        ...(onTransition !== undefined && { onTransition }),
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
