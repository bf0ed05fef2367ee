/**
 * `npm run bench -- <name> [--json]`: measurements, each against something in the same run. Never a test: numbers depend
 * on the machine, ratios much less.
 */
import { benchAuthor } from './author.ts';
import { benchKitTypes } from './kit-types.ts';
import { benchLocal } from './local.ts';
import { benchLoop } from './loop.ts';
import { benchProgram } from './program.ts';
import { benchParked } from './queue/parked.ts';
import { benchQueue } from './queue/queue.ts';
import { benchQueueLoop } from './queue/queue-loop.ts';
import { printTable, type Report } from './table.ts';
import { benchValidate } from './validate.ts';

const BENCHES: Record<string, () => Promise<Report>> = {
  local: benchLocal,
  loop: benchLoop,
  'loop --driver queue': benchQueueLoop,
  queue: benchQueue,
  parked: benchParked,
  validate: benchValidate,
  author: benchAuthor,
  'kit-types': benchKitTypes,
  program: benchProgram,
};

const args = process.argv.slice(2);
const name = args.filter((arg) => arg !== '--json').join(' ');
const bench = BENCHES[name];
if (bench === undefined) {
  console.error(`usage: npm run bench -- <${Object.keys(BENCHES).join(' | ')}> [--json]`);
  process.exitCode = 2;
} else {
  const report = await bench();
  if (args.includes('--json')) console.log(JSON.stringify(report.summary));
  else printTable(report);
}
