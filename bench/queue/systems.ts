import { skillText } from '../flows.ts';
import type { JobsToRun } from './bullmq-jobs.ts';
import { type BenchProcess, startProcess } from './bench-process.ts';
import { type BenchRedis, type Fsync, startBenchRedis } from './bench-redis.ts';
import type { TurnsToRun } from './turns-process.ts';

/** What a run took. */
export interface Cost {
  readonly ms: number;
  /** CPU of the processes that count, and of Redis. */
  readonly cpuUs: number;
  /** The same, of Redis first and then of each process. */
  readonly parts: readonly number[];
}

/** The processes of both sides, on one Redis. While one side is measured, the other waits. */
export interface Systems {
  readonly redis: BenchRedis;
  /** Runs turns. Counted: orchestrator, worker, Redis; who submits the turns is no part of a step. */
  runTurns(work: TurnsToRun): Promise<Cost>;
  /** Bare jobs whose producer waits for the end of each. Counted: producer, worker, Redis. */
  runJobs(work: JobsToRun): Promise<Cost>;
  /** Bare jobs that nobody waits for. Counted: producer, worker, Redis. */
  runUnseenJobs(work: JobsToRun): Promise<Cost>;
  /** Chains whose worker adds the next job, and whose producer waits for their ends. Counted: producer, worker, Redis. */
  runChains(work: JobsToRun): Promise<Cost>;
  /** The same, but all that is told of their ends is a line in a stream. */
  runLeanChains(work: JobsToRun): Promise<Cost>;
  /** Times between the starts of successive steps, and of successive bare jobs, since the last time. */
  stepIntervals(): Promise<number[]>;
  jobIntervals(): Promise<number[]>;
  stop(): Promise<void>;
}

export async function startSystems(fsync: Fsync): Promise<Systems> {
  const redis = await startBenchRedis(fsync);
  const start = (file: string): Promise<BenchProcess> => startProcess(file, [redis.url]);
  const processes = await Promise.all([
    start('orchestrator-process.ts'),
    start('worker-process.ts'),
    start('turns-process.ts'),
    start('bullmq-producer-process.ts'),
    start('bullmq-worker-process.ts'),
  ]);
  const [orchestrator, worker, turns, producer, bareWorker] = processes;
  const ours = [orchestrator, worker];
  const bare = [producer, bareWorker];
  const bareRun = async (listen: boolean, run: () => Promise<number>): Promise<Cost> => {
    await producer.ask('listen', listen);
    return costOf(redis, bare, run);
  };
  return {
    redis,
    runTurns: async (work) => {
      const before = await worker.ask<number>('handled');
      const cost = await costOf(redis, ours, () => turns.ask<number>('run', work));
      const jobs = (await worker.ask<number>('handled')) - before;
      if (jobs !== work.turns * work.jobsPerTurn)
        throw new Error(`turns failed: only ${jobs} jobs were done`);
      return cost;
    },
    runJobs: (work) => bareRun(true, () => producer.ask<number>('runObserved', work)),
    runUnseenJobs: (work) => bareRun(false, () => runUnseen(producer, bareWorker, work)),
    runChains: (work) => bareRun(true, () => producer.ask<number>('runChains', work)),
    runLeanChains: (work) => bareRun(false, () => producer.ask<number>('runLeanChains', work)),
    stepIntervals: () => worker.ask<number[]>('intervals'),
    jobIntervals: () => bareWorker.ask<number[]>('intervals'),
    stop: async () => {
      await Promise.all(processes.map((one) => one.stop()));
      await redis.stop();
    },
  };
}

async function runUnseen(producer: BenchProcess, worker: BenchProcess, work: JobsToRun): Promise<number> {
  const before = await worker.ask<number>('handled');
  const start = performance.now();
  await producer.ask('addOnly', work);
  while ((await worker.ask<number>('handled')) - before < work.flows * work.jobsPerFlow) await pause();
  return performance.now() - start;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

async function costOf(
  redis: BenchRedis,
  processes: readonly BenchProcess[],
  run: () => Promise<number>,
): Promise<Cost> {
  const cpuUs = (): Promise<number[]> => Promise.all([redis, ...processes].map((one) => one.cpuUs()));
  const before = await cpuUs();
  const ms = await run();
  const after = await cpuUs();
  const parts = after.map((us, index) => us - (before[index] ?? 0));
  return { ms, cpuUs: parts.reduce((sum, us) => sum + us, 0), parts };
}

/** Turns of some calls, one after the other, to a tool that must not be called twice: the dearest kind of step. */
export function turnsOfCalls(turns: number, count: number): TurnsToRun {
  const step = '  - {call: {tool: "srv:get", args: {q: "{{input}}"}, save_as: found}}\n';
  return { skillText: skillText(`tools: [srv]\nsteps:\n${step.repeat(count)}`), turns, jobsPerTurn: count };
}
