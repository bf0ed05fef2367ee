import { randomUUID } from 'node:crypto';
import type { Config, StepJob, StepResult, TraceEvent, TurnId, TurnOutcome } from '@skillyard/contracts';
import {
  connect,
  type ExecuteJob,
  MODEL_CLASS,
  type QueueConnection,
  startStepWorker,
  type StepWorker,
  type StepWorkerOptions,
  TurnClient,
  type TurnSubmission,
} from '@skillyard/queue';
import { until } from '@skillyard/testing';
import { pino } from 'pino';
import { type OrchestratorOptions, runOrchestrator, type RunningOrchestrator } from '../src/index.ts';

/** Answers a job; what it leaves out is filled in. */
export type Answer = (
  job: StepJob,
  context: { readonly signal: AbortSignal },
) => Partial<StepResult> | Promise<Partial<StepResult>>;

/** An orchestrator and workers in this process, on a real Redis, under a prefix of their own. */
export interface Cluster {
  readonly connection: QueueConnection;
  readonly client: TurnClient;
  readonly config: Config;
  /** Jobs that were executed, in the order they were started. */
  readonly executed: StepJob[];
  orchestrator(options?: Partial<OrchestratorOptions>): Promise<RunningOrchestrator>;
  worker(workerClass?: string, options?: Partial<StepWorkerOptions>): Promise<StepWorker>;
  submit(skillText: string, more?: Partial<TurnSubmission>): Promise<TurnId>;
  /** Waits for the end of a turn. */
  outcome(turnId: TurnId): Promise<TurnOutcome>;
  events(turnId: TurnId): Promise<TraceEvent[]>;
  close(): Promise<void>;
}

/** @param answer does the work of every worker, and of the orchestrator's own jobs */
export async function startCluster(url: string, answer: Answer, config: Config = {}): Promise<Cluster> {
  const prefix = `t${randomUUID().slice(0, 8)}`;
  const connection = await connect({ url, prefix });
  const client = new TurnClient(connection);
  const executed: StepJob[] = [];
  const closers: (() => Promise<void>)[] = [];
  const withPrefix: Config = { ...config, redis: { prefix } };
  const execute: ExecuteJob = async (job, context) => {
    executed.push(job);
    return { jobId: job.id, status: 'ok', text: '', ...(await answer(job, context)) };
  };
  return {
    connection,
    client,
    config: withPrefix,
    executed,
    orchestrator: async (options = {}) => {
      const running = await runOrchestrator({
        config: withPrefix,
        baseDir: process.cwd(),
        redisUrl: url,
        env: {},
        log: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
        execute,
        ...options,
      });
      closers.push(running.close);
      return running;
    },
    worker: async (workerClass = MODEL_CLASS, options = {}) => {
      const worker = await startStepWorker({
        connection,
        workerClass,
        execute,
        concurrency: 8,
        retries: { delayMs: 5, maxDelayMs: 60_000 },
        ...options,
      });
      closers.push(() => worker.close());
      return worker;
    },
    submit: (skillText, more = {}) => client.submitTurn({ skillText, file: 'test.yaml', vars: {}, ...more }),
    outcome: async (turnId) => {
      const view = await until(
        async () => {
          const now = await client.readTurn(turnId);
          return now.outcome === null ? undefined : now;
        },
        15_000,
        `the end of turn ${turnId}`,
      );
      if (view.outcome === null) throw new Error('a turn that ended has an outcome');
      return view.outcome;
    },
    events: async (turnId) => {
      const events = [];
      for await (const { event } of client.watchTurn(turnId)) events.push(event);
      return events;
    },
    close: async () => {
      for (const close of closers.toReversed()) await close();
      await connection.close();
    },
  };
}

/** A skill of the given steps. */
export function skillOf(steps: string, header = ''): string {
  return `skill_engine_version: "2.4.1"
name: test-skill
description: A skill of a test.
${header}workflow:
  tools: [mill, oven]
  steps:
${steps
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`;
}
