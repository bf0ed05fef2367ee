import { skillText } from '../flows.ts';
import { loopOf, rowsOf, SIZES } from '../loop.ts';
import { type Report, whole } from '../table.ts';
import { type Cost, startSystems } from './systems.ts';

const ROUNDS = 2;
/** Iterations of one round, in loops of any size. The loops run one after the other: so as many jobs are in flight. */
const ITERATIONS = 10_000;

/** What an iteration of a loop costs over queues, in short and in long loops, and what they take in Redis. */
export async function benchQueueLoop(): Promise<Report> {
  const rows: string[][] = [];
  let first: number | undefined;
  const summary: Record<string, number> = {};
  for (const size of SIZES) {
    const { us, perSecond, peakBytes } = await measure(size);
    first ??= us;
    rows.push([
      whole(size),
      whole(us),
      whole(perSecond),
      (us / first).toFixed(2),
      (peakBytes / 2 ** 20).toFixed(1),
    ]);
    summary['perIterationRatio'] = Math.round((us / first) * 1000) / 1000;
    summary['peakBytes'] = peakBytes;
  }
  return {
    title: `Loops over queues (a call and a set per iteration, ${whole(ITERATIONS)} iterations a round, best of ${ROUNDS})`,
    columns: ['items', 'CPU us/iteration', 'per second', 'against 100', 'Redis peak MiB'],
    rows,
    summary,
  };
}

async function measure(size: number): Promise<{ us: number; perSecond: number; peakBytes: number }> {
  const systems = await startSystems('everysec');
  const work = {
    skillText: skillText(loopOf(size)),
    turns: ITERATIONS / size,
    jobsPerTurn: size,
    oneByOne: true,
    vars: { rows: rowsOf(size) },
  };
  try {
    const costs: Cost[] = [];
    for (let round = 0; round < ROUNDS; round++) costs.push(await systems.runTurns(work));
    return {
      us: Math.min(...costs.map(({ cpuUs }) => cpuUs)) / ITERATIONS,
      perSecond: (ITERATIONS * 1000) / Math.min(...costs.map(({ ms }) => ms)),
      peakBytes: (await systems.redis.memory()).peakBytes,
    };
  } finally {
    await systems.stop();
  }
}
