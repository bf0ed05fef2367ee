/*
 * npm run soak -- [--turns 5000] [--width 60] [--kill-every 3] [--seed 1] [--tenants 0]
 *
 * With tenants, they share the workers through windows, and what jobs were given and gave is kept.
 * Ends with 1 when a promise was broken.
 */
import { parseArgs } from 'node:util';
import { openWorld } from '../world.ts';
import { soak, SOAK_KINDS, type SoakReport } from './soak.ts';

/** How long a generation takes: kills have to find some under way. */
const MODEL_MS = 50;
/** Violations that are printed. */
const SHOWN = 20;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '5000' },
    width: { type: 'string', default: '60' },
    'kill-every': { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    tenants: { type: 'string', default: '0' },
  },
});
const turns = Number(values.turns);
const seed = Number(values.seed);

const world = await openWorld(MODEL_MS);
if (world === undefined) {
  process.exitCode = 2;
} else {
  console.log(`${turns} turns, a kill every ${values['kill-every']} s on average, seed ${seed}`);
  try {
    const report = await soak(world, {
      turns,
      width: Number(values.width),
      killEveryMs: Number(values['kill-every']) * 1000,
      tenants: Number(values.tenants),
      seed,
      onProgress: (ended, kills) =>
        console.log(`${ended} of ${turns} turns ended, ${kills} processes killed`),
    });
    print(report);
    const isGood =
      report.turns.every(({ violations }) => violations.length === 0) &&
      report.leftovers.leftOver.length === 0;
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await world.close();
  }
}

function print({ turns: all, kills, leftovers, seconds }: SoakReport): void {
  console.log('\n| turn | turns | right | call lost | executions | violations |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const kind of SOAK_KINDS) {
    const some = all.filter((one) => one.kind === kind);
    const violated = some.filter(({ violations }) => violations.length > 0).length;
    const lost = some.filter((one) => one.lost).length;
    const executions = some.reduce((sum, one) => sum + one.executions, 0);
    console.log(
      `| ${kind.name} | ${some.length} | ${some.length - lost - violated} | ${lost} | ${executions} | ${violated} |`,
    );
  }
  const perSecond = (all.length / seconds).toFixed(1);
  console.log(`\n${all.length} turns in ${seconds.toFixed(0)} s (${perSecond} per second)`);
  console.log(`killed: ${[...kills].map(([name, count]) => `${name}: ${count}`).join(', ')}`);
  console.log(`keys left: ${leftovers.constant} that stay, ${leftovers.leftOver.length} that should be gone`);
  const violations = all.flatMap((one) => one.violations);
  for (const line of [...violations, ...leftovers.leftOver].slice(0, SHOWN)) console.log(`  ${line}`);
}
