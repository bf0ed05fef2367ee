import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AssetJob,
  type CallJob,
  type Config,
  type GenerateJob,
  type JobId,
  type JobNoticed,
  type StepJob,
  type StepResult,
  type ToolEffect,
  type TurnId,
  turnOfJob,
} from '@skillyard/contracts';
import { connect, effectOf, type QueueConnection, queueOf, StepQueues } from '@skillyard/queue';
import { type NodeProcess, spawnNode, toolServerCommand, until } from '@skillyard/testing';

/** Real worker processes with a real tool server, and jobs for them, without an orchestrator. */
export interface WorkerProcesses {
  readonly connection: QueueConnection;
  /** Starts a worker, or another script, with `--class` for each class. */
  launch(classes: readonly string[], options?: LaunchOptions): Promise<NodeProcess>;
  /** Asks the tool server of class `mill` for a call that goes on until {@link WorkerProcesses.open}. */
  call(effect: ToolEffect): Promise<JobId>;
  /** The same as {@link WorkerProcesses.call}, for an asset. */
  asset(): Promise<JobId>;
  generate(): Promise<JobId>;
  /** Lets the calls of {@link WorkerProcesses.call} end. */
  open(): Promise<void>;
  /** The lines that executions of a call wrote: `start` and `end`. */
  lines(jobId: JobId): Promise<string[]>;
  started(jobId: JobId): Promise<void>;
  /** Waits for the first result of a job, and gives all there are. */
  results(jobId: JobId, timeoutMs?: number): Promise<StepResult[]>;
  /** What the trace of a job's turn was told, by name. */
  noticed(jobId: JobId): Promise<string[]>;
  close(): Promise<void>;
}

interface LaunchOptions {
  readonly redisUrl?: string;
  readonly script?: string;
}

/** The built process, as an operator starts it. */
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** @param config beside the tool server `mill`, unless it says otherwise of it */
export async function openWorkerProcesses(url: string, config: Config = {}): Promise<WorkerProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-workers-'));
  const prefix = `w${randomUUID().slice(0, 8)}`;
  const servers = { mill: toolServerCommand(), ...config.servers };
  const whole: Config = { ...config, servers, redis: { prefix } };
  const file = join(folder, 'skillyard.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(whole));
  const connection = await connect({ url, prefix });
  const { redis, keys } = connection;
  const queues = new StepQueues(connection);
  const processes: NodeProcess[] = [];
  const gate = join(folder, 'gate');
  const fileOf = (jobId: JobId): string => join(folder, `${jobId}.log`);

  const add = async (job: StepJob, effect: ToolEffect): Promise<JobId> => {
    const envelope = { job, queue: queueOf(job, whole), effect };
    await redis.hset(keys.turn(job.turnId).meta, 'status', 'running');
    await redis.hset(keys.turn(job.turnId).jobs, job.id, JSON.stringify(envelope));
    await queues.add(queues.requests([envelope]));
    return job.id;
  };
  const lines = async (jobId: JobId): Promise<string[]> => {
    const path = fileOf(jobId);
    return existsSync(path) ? (await readFile(path, 'utf8')).trim().split('\n') : [];
  };
  const resultsOf = async (jobId: JobId): Promise<StepResult[]> => {
    const entries = await redis.xrange(keys.shard(keys.shardOfJob(jobId)).results, '-', '+');
    const results = entries.map(([, fields]) => JSON.parse(fields[3] ?? '{}') as StepResult);
    return results.filter((result) => result.jobId === jobId);
  };
  return {
    connection,
    launch: async (classes, { redisUrl = url, script = MAIN } = {}) => {
      const args = [...classes.flatMap((one) => ['--class', one]), '--config', file, '--redis', redisUrl];
      const started = spawnNode(script, args, { env: { LOG_LEVEL: 'debug' } });
      processes.push(started);
      await started.wrote('"event":"ready"');
      return started;
    },
    call: (effect) => {
      const { turnId, id } = names('c');
      const args = { file: fileOf(id), gate };
      const job: CallJob = {
        kind: 'call',
        id,
        turnId,
        path: '0',
        step: 'grind',
        server: 'mill',
        tool: 'gate',
        args,
        fill: [],
        notes: [],
        origin: 'step',
      };
      return add(job, effect);
    },
    asset: () => {
      const { turnId, id } = names('a0');
      const args = { file: fileOf(id), gate };
      const fetch = { ttlMs: 0, timeoutMs: 60_000, retries: 0, onUnavailable: 'fail' } as const;
      const job: AssetJob = {
        kind: 'asset',
        id,
        turnId,
        path: '0',
        step: 'grind',
        name: 'flour',
        asset: { kind: '', source: 'mcp', content: '', ref: 'mill:gate', args, params: {}, fetch },
      };
      return add(job, effectOf(job, {}));
    },
    generate: () => {
      const { turnId, id } = names('g0.0');
      const job: GenerateJob = {
        kind: 'generate',
        id,
        turnId,
        path: '0',
        step: 'think',
        model: '',
        instruction: 'Say something.',
        tools: [],
        toolChoice: 'auto',
        maxCalls: 0,
        maxToolErrors: 0,
        sampling: null,
        responseSchema: null,
        oneOf: null,
        conversation: `${turnId}.0`,
        round: 0,
        replies: [],
      };
      return add(job, 'idempotent');
    },
    open: () => writeFile(gate, ''),
    lines,
    started: async (jobId) => {
      await until(async () => (await lines(jobId)).length > 0, 20_000, `${jobId} is under way`);
    },
    results: async (jobId, timeoutMs = 20_000) => {
      await until(async () => (await resultsOf(jobId)).length > 0, timeoutMs, `the result of ${jobId}`);
      return resultsOf(jobId);
    },
    noticed: async (jobId) => {
      const entries = await redis.xrange(keys.turn(turnOfJob(jobId)).trace, '-', '+');
      return entries.map(([, fields]) => (JSON.parse(fields[1] ?? '{}') as JobNoticed).what);
    },
    close: async () => {
      for (const { child } of processes) {
        child.kill('SIGKILL');
        // A process that was stopped takes no other signal.
        child.kill('SIGCONT');
      }
      await Promise.all(processes.map(({ exited }) => exited));
      await queues.close();
      await connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function names(suffix: string): { turnId: TurnId; id: JobId } {
  const turnId = `t-${randomUUID().slice(0, 8)}` as TurnId;
  return { turnId, id: `${turnId}.0.${suffix}` as JobId };
}
