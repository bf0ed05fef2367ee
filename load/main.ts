/*
 * npm run load -- [--turns 2000] [--listeners 200] [--model-ms 5000] [--seed 1]
 *
 * A turn has three or four generations. A model that is slow enough keeps all turns under way at once.
 *
 * Ends with 1 when an event was lost, came twice or out of order, or when a turn did not end as it should.
 */
import { parseArgs } from 'node:util';
import { type LoadReport, type Quantiles, runLoad, SUBMITTERS } from './run-load.ts';
import { startSystem } from './system.ts';

/** Violations that are printed. */
const SHOWN = 20;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '2000' },
    listeners: { type: 'string', default: '200' },
    'model-ms': { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});
const options = {
  turns: Number(values.turns),
  listeners: Number(values.listeners),
  seed: Number(values.seed),
};

const system = await startSystem(Number(values['model-ms']));
if (system === undefined) {
  process.exitCode = 2;
} else {
  console.log(`${options.turns} turns, ${options.listeners} listeners, seed ${options.seed}`);
  try {
    const report = await runLoad(system, options);
    print(report);
    process.exitCode = report.violations.length === 0 ? 0 : 1;
  } finally {
    await system.close();
  }
}

function print(report: LoadReport): void {
  const { turns, seconds, submitSeconds, events, measured, violations } = report;
  console.log(`${turns} turns ended, at most ${report.mostAtOnce} under way at once`);
  console.log(
    `submit    ${inWords(report.submit)}   ${(turns / submitSeconds).toFixed(0)} per second, ${SUBMITTERS} at once`,
  );
  console.log(
    `events    ${inWords(report.delay)}   from happening to arrival, of ${measured} that came live`,
  );
  console.log(
    `in all    ${seconds.toFixed(1)} s, ${(turns / seconds).toFixed(0)} turns and ${(events / seconds).toFixed(0)} events per second`,
  );
  console.log(
    `events    ${events} came; lost, doubled, out of order or turns gone wrong: ${violations.length}`,
  );
  for (const line of violations.slice(0, SHOWN)) console.log(`  ${line}`);
}

function inWords({ p50, p99 }: Quantiles): string {
  return `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
}
