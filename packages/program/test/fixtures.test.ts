import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '@skillyard/testing';
import { callProgram, type Called } from './call-program.ts';

let work: string;
let folder: string;
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'program-fixtures-')));
  folder = join(work, 'drill');
  mkdirSync(join(folder, 'fixtures'), { recursive: true });
  write('main.mjs', PROGRAM);
  write('skill.json', '{"version":1,"yield_version":"0.2.0","run":["node","main.mjs"]}');
});
afterEach(() => {
  rmSync(work, { recursive: true });
});

/** Asks whether to go on, which is refused with a no, then for a plan, and completes. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
const { run_id, skill, entries } = JSON.parse(readFileSync(process.env.YIELD_JOURNAL, 'utf8'));
const request = (id, kind, payload) => ({ type: 'request', envelope: { protocol: 'yield.v1', run_id, skill,
  sequence: entries.length + 1, request: { id, kind, payload, output_schema: { type: 'object' } } } });
const terminal = (end) => ({ type: 'terminal', terminal: end });
const output = entries[0]?.response.result.value === 'no' ? terminal({ status: 'refused', reason: 'cancelled' })
  : [request('go', 'ask_user', { question: 'Go?' }), request('plan', 'agent_task', { instruction: 'Plan.' }),
    terminal({ status: 'completed' })][entries.length];
console.log(JSON.stringify(output));
`;

const call = (line: string): Promise<Called> => callProgram(work, line);
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** A hook that adds a line to what was done: its name, whether it knows that this is a test, and what it was given. */
const noting = (name: string): string[] => ['sh', '-c', `echo "${name} $YIELD_FIXTURE $(cat)" >> done.txt`];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('answers from the fixtures, with the hooks around it, and leaves no run behind', async () => {
  write('fixtures/responses.json', '{"go": {"value": "yes"}, "plan": {"steps": 2.0}}');
  const hooks = {
    setup: [noting('setup')],
    after_response: { plan: [noting('planned')] },
    teardown: [noting('teardown')],
  };
  write('fixtures/test.json', JSON.stringify({ version: 1, ...hooks }));
  const { exitCode, stdout, stderr } = await call('test drill');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^test: run run_\d+_[0-9a-f]{10} reached completed\n$/);
  expect(read('done.txt')).toBe('setup 1 \nplanned 1 {"steps":2.0}\nteardown 1 \n');
  expect(existsSync(join(folder, '.yield'))).toBe(false);

  // What was set up is cleared away whatever happens, and both failures are told.
  write('fixtures/responses.json', '{"go": {"value": "no"}}');
  const broken = [['sh', '-c', 'sleep 60 & echo broken; exit 5']];
  write('fixtures/test.json', JSON.stringify({ version: 1, teardown: broken }));
  expect((await call('test drill')).stderr).toBe(
    'skillyard-program: fixture teardown: ["sh" "-c" "sleep 60 & echo broken; exit 5"] failed: exit status 5: broken\n',
  );
  write('fixtures/test.json', JSON.stringify({ version: 1, setup: broken, teardown: [noting('cleared')] }));
  expect((await call('test drill')).exitCode).toBe(1);
  expect(read('done.txt')).toContain('cleared');
});

it('goes on when a hook has started a service', async () => {
  write('fixtures/responses.json', '{"go": {"value": "yes"}, "plan": {}}');
  const service = 'setsid sh -c "echo \\$\\$ > pid.txt; exec sleep 60" & until test -s pid.txt; do :; done';
  const hooks = { setup: [['sh', '-c', service]], teardown: [['sh', '-c', 'kill $(cat pid.txt)']] };
  write('fixtures/test.json', JSON.stringify({ version: 1, ...hooks }));
  expect(await call('test drill')).toMatchObject({ exitCode: 0 });
  await until(() => !isAlive(Number(read('pid.txt'))));
});

it('clears away what it set up when it is stopped', async () => {
  write('fixtures/responses.json', '{}');
  const setup = [['sh', '-c', 'echo $$ > pid.txt; sleep 60 & wait']];
  write('fixtures/test.json', JSON.stringify({ version: 1, setup, teardown: [noting('cleared')] }));
  const stop = new AbortController();
  const stopped = callProgram(work, 'test drill', { signal: stop.signal });
  const group = (): number => Number(existsSync(join(folder, 'pid.txt')) && read('pid.txt'));
  await until(() => group() > 0);
  stop.abort();
  expect(await stopped).toMatchObject({
    exitCode: 130,
    stdout: '',
    stderr: expect.stringContaining('stopped') as string,
  });
  expect(read('done.txt')).toContain('cleared');
  // Nobody of its group is left.
  await until(() => !isAlive(-group()));
});

it('prunes runs that have ended and are old, with all that belongs to them', async () => {
  write('fixtures/responses.json', '{"go": {"value": "no"}}');
  const runs = join(folder, '.yield/runs');
  const ids: string[] = [];
  for (const hoursAgo of [3, 2, 1]) {
    const refused = await call('test drill --keep-run');
    expect(refused.stderr).toBe('skillyard-program: terminal status refused: cancelled\n');
    const [id = ''] = /run_\w+/.exec(refused.stdout) ?? [];
    ids.push(id);
    const seconds = Date.now() / 1000 - hoursAgo * 3600;
    utimesSync(join(runs, `${id}.jsonl`), seconds, seconds);
    writeFileSync(join(runs, `${id}.input`), 'private');
  }
  const [oldest = '', older = '', newest = ''] = ids;
  // A run that has not ended: it was cut off behind its start.
  const started = readFileSync(join(runs, `${oldest}.jsonl`), 'utf8').split('\n')[0] ?? '';
  writeFileSync(join(runs, 'open.jsonl'), `${started}\n`);
  utimesSync(join(runs, 'open.jsonl'), 0, 0);
  // What lies among them and is none of them.
  writeFileSync(join(runs, 'a copy.jsonl'), '{}');
  mkdirSync(join(runs, 'folder.jsonl'));

  expect((await call('prune drill --older-than 90m --keep-last 2 --dry-run')).stdout).toBe(
    `prune: ${oldest}\nprune: 1 terminal run(s) selected\n`,
  );
  expect((await call('prune drill --older-than 1h30m')).stdout).toBe(
    `prune: ${older}\nprune: ${oldest}\nprune: 2 terminal run(s) selected\n`,
  );
  const left = readdirSync(runs).filter((name) => !name.endsWith('.lock'));
  expect(left.toSorted()).toEqual(
    ['a copy.jsonl', 'folder.jsonl', 'open.jsonl', `${newest}.input`, `${newest}.jsonl`].toSorted(),
  );
  // Not those of another folder, whatever leads there.
  renameSync(join(folder, '.yield'), join(work, 'elsewhere'));
  symlinkSync(join(work, 'elsewhere'), join(folder, '.yield'));
  expect((await call('prune drill --older-than 1m')).stderr).toContain(
    'must be a folder, and no link to one',
  );
  expect(readdirSync(join(work, 'elsewhere/runs'))).toContain(`${newest}.jsonl`);
  for (const wrong of ['', ' --older-than 0h', ' --older-than soon', ' --older-than 1h --keep-last -1']) {
    expect(await call(`prune drill${wrong}`)).toMatchObject({
      exitCode: 1,
      stderr:
        'skillyard-program: prune takes one skill directory, --older-than greater than zero, and a nonnegative --keep-last\nhint: a duration is a number and a unit, such as 12h or 30d\n',
    });
  }
});

it('begins programs in Python with the SDK of the example', async () => {
  expect((await call('init starter --language python --description Starts.')).exitCode).toBe(0);
  const example = fileURLToPath(
    new URL('../../../examples/program/meter-round/skillprogram.py', import.meta.url),
  );
  expect(readFileSync(join(work, 'starter/skillprogram.py'), 'utf8')).toBe(readFileSync(example, 'utf8'));
  expect((await call('test starter')).stderr).toBe(
    'skillyard-program: terminal status blocked: replace the starter workflow and fixture before testing\n',
  );
  writeFileSync(join(work, 'starter/main.py'), 'mine');
  const again = await call('init starter --language python');
  expect(again.stdout).toContain('init: main.py exists, preserved\n');
  expect(readFileSync(join(work, 'starter/main.py'), 'utf8')).toBe('mine');
});
