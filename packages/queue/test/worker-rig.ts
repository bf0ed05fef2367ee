import { randomUUID } from 'node:crypto';
import {
  type CallJob,
  type JobId,
  type JobNoticed,
  type StepResult,
  type ToolEffect,
  type TurnId,
  turnOfJob,
} from '@skillyard/contracts';
import { until } from '@skillyard/testing';
import {
  connect,
  type QueueConnection,
  startStepWorker,
  StepQueues,
  type StepQueuesOptions,
  type StepWorker,
  type StepWorkerOptions,
  type WorkerNotice,
} from '../src/index.ts';

/** Workers of the class `mill` in this process, and jobs for them, without an orchestrator. */
export interface WorkerRig {
  readonly connection: QueueConnection;
  readonly notices: WorkerNotice[];
  /** Puts a call into the outbox of a turn of its own, and its ticket into the queue. */
  ask(effect?: ToolEffect, more?: Partial<CallJob>): Promise<JobId>;
  work(options: Partial<StepWorkerOptions> & Pick<StepWorkerOptions, 'execute'>): Promise<StepWorker>;
  /** Every result that was posted for a job. */
  results(jobId: JobId): Promise<StepResult[]>;
  /** Waits for the first result of a job. */
  posted(jobId: JobId): Promise<StepResult>;
  /** Waits for a notice of a worker. */
  noticed(type: WorkerNotice['type'], jobId?: JobId): Promise<WorkerNotice>;
  /** What the trace of a job's turn holds. */
  trace(jobId: JobId): Promise<JobNoticed[]>;
  close(): Promise<void>;
}

export async function openRig(url: string, queueOptions: StepQueuesOptions = {}): Promise<WorkerRig> {
  const connection = await connect({ url, prefix: `t${randomUUID().slice(0, 8)}` });
  const queues = new StepQueues(connection, queueOptions);
  const workers: StepWorker[] = [];
  const notices: WorkerNotice[] = [];
  const { redis, keys } = connection;

  const results = async (jobId: JobId): Promise<StepResult[]> => {
    const entries = await redis.xrange(keys.shard(keys.shardOfJob(jobId)).results, '-', '+');
    return entries
      .map(([, fields]) => JSON.parse(fields[3] ?? '{}') as StepResult)
      .filter((result) => result.jobId === jobId);
  };
  return {
    connection,
    notices,
    ask: async (effect = 'read', more = {}) => {
      const turnId = `t-${randomUUID().slice(0, 8)}` as TurnId;
      const id = `${turnId}.0.c` as JobId;
      const job: CallJob = {
        kind: 'call',
        id,
        turnId,
        path: '0',
        step: 'call',
        server: 'mill',
        tool: 'grind',
        args: {},
        fill: [],
        notes: [],
        origin: 'step',
        ...more,
      };
      const envelope = { job, queue: 'tool.mill', effect };
      await redis.hset(keys.turn(turnId).meta, 'status', 'running');
      await redis.hset(keys.turn(turnId).jobs, id, JSON.stringify(envelope));
      await queues.add(queues.requests([envelope]));
      return id;
    },
    work: async (options) => {
      const worker = await startStepWorker({
        connection,
        workerClass: 'mill',
        concurrency: 2,
        lockMs: 600,
        onNotice: (notice) => notices.push(notice),
        ...options,
      });
      workers.push(worker);
      return worker;
    },
    results,
    posted: (jobId) => until(async () => (await results(jobId))[0], 10_000, `the result of ${jobId}`),
    noticed: (type, jobId) =>
      until(
        () => notices.find((one) => one.type === type && (jobId === undefined || jobId === jobIdOf(one))),
        10_000,
        `the notice ${type}`,
      ),
    trace: async (jobId) => {
      const entries = await redis.xrange(keys.turn(turnOfJob(jobId)).trace, '-', '+');
      return entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as JobNoticed);
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close(0)));
      await queues.close();
      await connection.close();
    },
  };
}

function jobIdOf(notice: WorkerNotice): string | undefined {
  return 'jobId' in notice ? notice.jobId : undefined;
}
