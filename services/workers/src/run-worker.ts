import { type ClassConfig, MODEL_CLASS, parseDurationMs } from '@skillyard/contracts';
import {
  type ClassLimits,
  connect,
  type ExecuteJob,
  type Heartbeat,
  HistoryWriter,
  type QueueConnection,
  startHeartbeat,
  startStepWorker,
  type StepWorker,
} from '@skillyard/queue';
import { retryPolicy } from '@skillyard/runtime';
import { startTelemetry, type Telemetry } from '@skillyard/telemetry';
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
/** A heartbeat runs out a little earlier than the lock of a worker that died. */
const HEARTBEATS_PER_LOCK = 5 / 6;

/**
 * Starts a worker of one or several classes.
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, env, log } = options;
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: options.redisUrl,
    ...(prefix !== undefined && { prefix }),
    onError: (error) => log.warn({ reason: error.message }, 'connection to Redis'),
  });
  const opened: Opened = { connection, workers: [] };
  try {
    if (options.telemetry === undefined)
      opened.telemetry = await startTelemetry({ service: 'worker', config, env, log });
    const telemetry = options.telemetry ?? opened.telemetry;
    opened.executor =
      options.execute === undefined ? openExecutors(options, connection) : { execute: options.execute };
    opened.heartbeat = await startHeartbeat({
      connection,
      ...(options.lockMs !== undefined && { ttlMs: options.lockMs * HEARTBEATS_PER_LOCK }),
      onError: ({ message }) => log.warn({ reason: message }, 'connection to Redis'),
    });
    const { executor, heartbeat } = opened;
    for (const workerClass of new Set(options.classes))
      opened.workers.push(
        await startOne(workerClass, { ...options, telemetry }, { connection, heartbeat, ...executor }),
      );
  } catch (error) {
    await close(opened);
    throw error;
  }
  return { close: () => close(opened) };
}

/** What has to be closed. */
interface Opened {
  readonly connection: QueueConnection;
  executor?: WorkerExecutor;
  heartbeat?: Heartbeat;
  readonly workers: StepWorker[];
  telemetry?: Telemetry | undefined;
}

function startOne(
  workerClass: string,
  { config, concurrency, log, telemetry, lockMs, onTransition }: WorkerOptions,
  parts: { connection: QueueConnection; heartbeat: Heartbeat; execute: ExecuteJob },
): Promise<StepWorker> {
  const { connection, heartbeat, execute } = parts;
  const configured = config.classes?.[workerClass] ?? {};
  const history = HistoryWriter.of(config.history, connection, ({ message }) =>
    log.warn({ reason: message }, 'the history of a job could not be kept'),
  );
  return startStepWorker({
    connection,
    heartbeat,
    workerClass,
    execute,
    concurrency: concurrency ?? configured.concurrency ?? defaultConcurrency(workerClass),
    limits: limitsOf(configured),
    retries: retryPolicy(config),
    onNotice: (notice, attempt) => logNotice(log, notice, attempt && telemetry?.attemptFields(attempt)),
    ...(telemetry && { onAttempt: (attempt, end) => telemetry.attemptEnded(attempt, end) }),
    ...(history !== undefined && { history }),
    ...(lockMs !== undefined && { lockMs }),
    ...(onTransition !== undefined && { onTransition }),
  });
}

function limitsOf({ global_concurrency: globalConcurrency, rate_limit: rate }: ClassConfig): ClassLimits {
  return {
    ...(globalConcurrency !== undefined && { globalConcurrency }),
    ...(rate !== undefined && { rate: { jobs: rate.requests, perMs: parseDurationMs(rate.per) ?? 1000 } }),
  };
}

function defaultConcurrency(workerClass: string): number {
  return workerClass === MODEL_CLASS ? MODEL_CONCURRENCY : TOOL_CONCURRENCY;
}

async function close({ connection, executor, heartbeat, workers, telemetry }: Opened): Promise<void> {
  await Promise.all(workers.map((worker) => worker.close()));
  // Until here: what is not finished before is still ours.
  await heartbeat?.close();
  await executor?.close?.();
  await connection.close();
  await telemetry?.close();
}
