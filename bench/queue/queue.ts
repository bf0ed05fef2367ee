/**
 * What a step costs over queues, against BullMQ alone in the same run. Both sides take turns on one Redis, and of
 * several rounds the best counts: the one that the rest of the machine disturbed least.
 */
import { type Report, whole } from '../table.ts';
import { FLOWS } from './bench-classes.ts';
import type { Fsync } from './bench-redis.ts';
import { quantile } from './intervals.ts';
import { type Cost, startSystems, type Systems, turnsOfCalls } from './systems.ts';

const ROUNDS = 3;
/** Jobs of a flow, or steps of a turn, in one round of throughput. */
const LENGTH = 40;
const CHAINS = 1000;
const CHAIN_LENGTH = 3;
/** Round trips, one after the other. */
const TRIPS = 1000;

/** What the budgets are about. All are against bare jobs whose ends are awaited, as ours are. */
interface Ratios {
  readonly cpuRatio: number;
  readonly latencyRatio: number;
  readonly chainRatio: number;
  /** Against chains of whose ends nobody learns by BullMQ's own means. No budget is about it. */
  readonly leanChainRatio: number;
}

export async function benchQueue(): Promise<Report> {
  const rows: string[][] = [];
  const usual = await measure('everysec', rows);
  const always = await measure('always', rows);
  return {
    title: `Over queues, work that takes no time, ${FLOWS} turns or chains at once (best of ${ROUNDS} rounds)`,
    columns: ['what', 'appendfsync', 'per second', 'CPU us', 'p50 ms', 'p99 ms', 'against BullMQ'],
    rows,
    summary: {
      ...usual,
      cpuRatioFsyncAlways: always.cpuRatio,
      latencyRatioFsyncAlways: always.latencyRatio,
      chainRatioFsyncAlways: always.chainRatio,
      leanChainRatioFsyncAlways: always.leanChainRatio,
    },
  };
}

async function measure(fsync: Fsync, rows: string[][]): Promise<Ratios> {
  const systems = await startSystems(fsync);
  try {
    await warmUp(systems);
    const cpuRatio = await compareThroughput(systems, fsync, rows);
    const chains = await compareChains(systems, fsync, rows);
    const latencyRatio = await compareLatency(systems, fsync, rows);
    return { cpuRatio, latencyRatio, ...chains };
  } finally {
    await systems.stop();
  }
}

async function warmUp(systems: Systems): Promise<void> {
  await systems.runTurns(turnsOfCalls(FLOWS, 30));
  await systems.runJobs({ flows: FLOWS, jobsPerFlow: 30 });
}

async function compareThroughput(systems: Systems, fsync: Fsync, rows: string[][]): Promise<number> {
  const jobs = { flows: FLOWS, jobsPerFlow: LENGTH };
  const turns = turnsOfCalls(FLOWS, LENGTH);
  const costs: { bare: Cost[]; unseen: Cost[]; ours: Cost[] } = { bare: [], unseen: [], ours: [] };
  for (let round = 0; round < ROUNDS; round++) {
    costs.bare.push(await systems.runJobs(jobs));
    costs.ours.push(await systems.runTurns(turns));
    costs.unseen.push(await systems.runUnseenJobs(jobs));
  }
  const count = FLOWS * LENGTH;
  const bare = best(costs.bare);
  const add = (what: string, cost: Pick<Cost, 'ms' | 'cpuUs'>): void => {
    const perSecond = whole((count * 1000) / cost.ms);
    const ratio = (cost.cpuUs / bare.cpuUs).toFixed(2);
    rows.push([what, fsync, perSecond, whole(cost.cpuUs / count), '', '', `${ratio} CPU`]);
  };
  add('bare job, its end awaited', bare);
  add('bare job, its end not awaited', best(costs.unseen));
  add('step', best(costs.ours));
  return round3(best(costs.ours).cpuUs / bare.cpuUs);
}

async function compareChains(
  systems: Systems,
  fsync: Fsync,
  rows: string[][],
): Promise<Pick<Ratios, 'chainRatio' | 'leanChainRatio'>> {
  const work = { flows: CHAINS, jobsPerFlow: CHAIN_LENGTH };
  const bare: Cost[] = [];
  const lean: Cost[] = [];
  const ours: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await systems.runChains(work));
    ours.push(await systems.runTurns(turnsOfCalls(CHAINS, CHAIN_LENGTH)));
    lean.push(await systems.runLeanChains(work));
  }
  const ratio = best(bare).ms / best(ours).ms;
  const leanRatio = best(lean).ms / best(ours).ms;
  const add = (what: string, cost: Pick<Cost, 'ms' | 'cpuUs'>, against: number): void => {
    const perSecond = whole((CHAINS * 1000) / cost.ms);
    rows.push([
      what,
      fsync,
      perSecond,
      whole(cost.cpuUs / CHAINS),
      '',
      '',
      `${(against * 100).toFixed(0)} % speed`,
    ]);
  };
  add('chain of 3 bare jobs, its end awaited', best(bare), 1);
  add('chain of 3 bare jobs, its end not awaited', best(lean), ratio / leanRatio);
  add('turn of 3 steps', best(ours), ratio);
  return { chainRatio: round3(ratio), leanChainRatio: round3(leanRatio) };
}

async function compareLatency(systems: Systems, fsync: Fsync, rows: string[][]): Promise<number> {
  await systems.jobIntervals();
  await systems.stepIntervals();
  const bare: number[][] = [];
  const ours: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const trips = Math.round(TRIPS / ROUNDS);
    await systems.runJobs({ flows: 1, jobsPerFlow: trips });
    bare.push(await systems.jobIntervals());
    await systems.runTurns(turnsOfCalls(1, trips));
    ours.push(await systems.stepIntervals());
  }
  const quickest = (rounds: number[][], share: number): number =>
    Math.min(...rounds.map((round) => quantile(round, share)));
  const median = quickest(bare, 0.5);
  const add = (what: string, rounds: number[][]): void => {
    const p50 = quickest(rounds, 0.5);
    rows.push([
      what,
      fsync,
      '',
      '',
      p50.toFixed(2),
      quickest(rounds, 0.99).toFixed(2),
      `${(p50 / median).toFixed(2)} time`,
    ]);
  };
  add('bare round trip, idle', bare);
  add('step, idle', ours);
  return round3(quickest(ours, 0.5) / median);
}

/** The shortest time and the least CPU: not always of the same round. */
function best(costs: readonly Cost[]): Pick<Cost, 'ms' | 'cpuUs'> {
  return {
    ms: Math.min(...costs.map(({ ms }) => ms)),
    cpuUs: Math.min(...costs.map(({ cpuUs }) => cpuUs)),
  };
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}
