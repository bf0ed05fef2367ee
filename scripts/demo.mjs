// `npm run demo`: one turn, end to end, in this process. It reports on this repository from its own files, read through
// the MCP filesystem server. No Redis, no keys, no network.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileProgram, loadSkill } from '@skillyard/engine';
import { createExecutors } from '@skillyard/executors';
import { loadConfig, runTurn, turnSettings } from '@skillyard/runtime';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const skillFile = resolve(root, 'examples/workspace-report/skill.yaml');
const say = (line = '') => process.stdout.write(`${line}\n`);

const shown = relative(root, skillFile);
const loaded = loadSkill(readFileSync(skillFile, 'utf8'), { file: shown });
if (loaded.skill === null) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
const { config, baseDir } = await loadConfig({ cwd: root, env: {}, beside: dirname(skillFile) });
const executors = createExecutors({ config, baseDir, env: process.env });

say(`skill   ${shown}`);
say('input   the files of this repository, through @modelcontextprotocol/server-filesystem');
say('model   scripted (examples/workspace-report/answers.yaml): it repeats the last line it was given');
say();

let report;
try {
  report = await runTurn({
    program: compileProgram(loaded.skill),
    turnId: 'demo',
    settings: turnSettings(config),
    execute: (job, context) => executors.execute(job, context),
    onEvent: showProgress(),
  });
} finally {
  await executors.close();
}

const { outcome, steps, durationMs } = report;
say();
say('the answer, paths shortened:');
say();
const answer = outcome.answer.replaceAll(`${root}/`, '').replaceAll(`${root}\\`, '');
// What a loop gathers is parted by blank lines; a terminal is better off without them.
say(answer.replaceAll(/\n\n(?=- )/g, '\n').trimEnd());
say();
say('the steps of the flow:');
say();
table(steps.filter(({ path }) => !path.includes('.')));
say();
const inside = steps.filter(({ path }) => path.includes('.')).length;
say(`${inside} more steps ran inside the loops.`);
const { generations, calls } = outcome.usage;
say(
  `${outcome.status}: ${calls} tool calls, ${generations} generation of the scripted model, ${durationMs} ms`,
);
if (outcome.error !== null) say(`${outcome.error.code}: ${outcome.error.message}`);
process.exitCode = outcome.status === 'completed' ? 0 : 1;

/** One line per step of the flow, and for a long loop one per hundred iterations. */
function showProgress() {
  const finished = new Map();
  return (event) => {
    if (event.type === 'step.started' && !event.path.includes('.')) say(`  ${event.kind} ${event.name} ...`);
    if (event.type !== 'step.finished') return;
    const iteration = /^(\d+)\.i\d+\.0$/.exec(event.path)?.[1];
    if (iteration === undefined) return;
    const count = (finished.get(iteration) ?? 0) + 1;
    finished.set(iteration, count);
    if (count % 100 === 0) say(`    ${count} iterations`);
  };
}

function table(rows) {
  const head = ['step', 'kind', 'outcome', 'calls', 'ms', 'reason'];
  const cells = rows.map((row) => [
    row.name,
    row.kind,
    row.outcome,
    String(row.calls),
    String(row.durationMs),
    row.loop === undefined ? row.reason : `${row.reason}, up to ${row.loop.concurrency} at once`,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  );
  for (const row of [head, ...cells]) {
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}
