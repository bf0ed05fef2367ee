import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeEvent,
  type CodeJournal,
  type CodeRef,
  type Config,
  type DecideJob,
  type Decision,
  type JobId,
  type StepResult,
  turnId,
} from '@skillyard/contracts';
import { skillDigest } from '@skillyard/program/supervisor';
import { until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Executors, localJournal } from '../src/index.ts';
import { executorsFor, failureText, run } from './jobs.ts';

const TURN = turnId('t1');
/** Does what its input says: a program of any language, without an SDK. */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

const { run_id, skill, entries, input } = JSON.parse(readFileSync(process.env.YIELD_JOURNAL, 'utf8'));
const print = (output) => process.stdout.write(JSON.stringify(output) + '\\n');
const end = (result) => print({ type: 'terminal', terminal: { status: 'completed', result } });
switch (input.order) {
  case 'ask':
    if (entries.length > 0) { end(entries[0].response.result); break; }
    const payload = { question: 'Which loaf?' };
    print({ type: 'request', envelope: { protocol: 'yield.v1', run_id, skill, sequence: 1, request: { id: 'loaf', kind: 'ask_user', payload } } });
    break;
  case 'env':
    end({ heapMb: getHeapStatistics().heap_size_limit / 1024 / 1024, names: Object.keys(process.env), cwd: process.cwd(), journal: process.env.YIELD_JOURNAL, mode: statSync(process.env.YIELD_JOURNAL).mode & 0o777 });
    break;
  case 'throw':
    throw new Error('the oven is cold');
  case 'mutter':
    console.error('x'.repeat(290) + process.env.OVEN_TOKEN);
    process.exit(1);
  case 'chat':
    console.error('warming up');
    console.log('ready');
    end(1);
    break;
  case 'spin': {
    const child = spawn('sleep', ['1000']);
    writeFileSync(process.env.EFFECTS, String(child.pid));
    for (;;);
  }
}
`;

/** What a program saw around it. */
interface Seen {
  readonly names: readonly string[];
  readonly cwd: string;
  readonly journal: string;
  readonly mode: number;
  readonly heapMb: number;
}

describe('the programs of skills', () => {
  let folder: string;
  let effects: string;
  let code: CodeRef;
  let journal: CodeJournal;
  const open: Executors[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-programs-'));
    effects = join(folder, 'effects');
    journal = localJournal();
    await deploy({ version: 1, yield_version: '0.2.0', run: ['node', 'main.mjs'] });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const deploy = async (manifest: object): Promise<void> => {
    const dir = join(folder, 'skills/bakery');
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'main.mjs'), PROGRAM);
    await writeFile(join(dir, 'skill.json'), JSON.stringify(manifest));
    const sha256 = (await skillDigest(dir)).replace('sha256:', '');
    code = { runtime: 'program', name: 'bakery', sha256 };
    const header = { name: 'bakery', mode: 'code', code: { runtime: 'program', file: 'skill.json', sha256 } };
    await writeFile(join(dir, 'skill.yaml'), JSON.stringify(header));
  };
  const executors = (config: Config['code'] = {}): Executors => {
    const made = executorsFor(
      { skills: [join(folder, 'skills')], code: { env_from: ['EFFECTS', 'OVEN_TOKEN'], ...config } },
      { journal, env: { EFFECTS: effects, OVEN_TOKEN: 'a-very-secret-token', HIDDEN: 'x' } },
    );
    open.push(made);
    return made;
  };
  const decideJob = (event: CodeEvent, rounds = 0): DecideJob => ({
    id: `t1.0.d${rounds}` as JobId,
    turnId: TURN,
    path: '0',
    step: 'bakery',
    kind: 'decide',
    at: { code, journal: '0.journal', rounds },
    event,
  });
  const start = (order: string): DecideJob => decideJob({ type: 'start', vars: { order } });
  const directiveOf = ({ value }: StepResult): Decision['directive'] => (value as Decision).directive;

  it('K1: decide by what was answered, and what they decided is kept', async () => {
    const bakery = executors();
    expect(directiveOf(await run(bakery, start('ask')))).toMatchObject({ do: 'ask', step: 'loaf' });
    expect(await journal.load(TURN, '0.journal', 1)).toHaveLength(1);
    const answered = decideJob({ type: 'answered', answers: ['rye'] }, 1);
    expect(directiveOf(await run(bakery, answered))).toMatchObject({ do: 'end', output: '{"value":"rye"}' });
  });

  it('run in their folder, with an environment of their own and a journal that nobody else may read', async () => {
    const { output } = directiveOf(await run(executors({ memory_mb: 64 }), start('env'))) as {
      output: string;
    };
    const seen = JSON.parse(output) as Seen;
    expect(seen.names).toEqual(
      expect.arrayContaining(['EFFECTS', 'OVEN_TOKEN', 'PATH', 'YIELD_JOURNAL', 'YIELD_SUPERVISOR_VERSION']),
    );
    expect(seen.names).not.toContain('HIDDEN');
    expect(seen).toMatchObject({ cwd: join(folder, 'skills/bakery'), mode: 0o600 });
    expect(seen.heapMb).toBeLessThan(256);
    await expect(stat(seen.journal)).rejects.toThrow('ENOENT');
  });

  it('tell no part of a secret with their last words', async () => {
    const failure = failureText(await run(executors(), start('mutter')));
    expect(failure).toContain('It wrote last: xxx');
    expect(failure).not.toContain('a-very');
  });

  it('fail when what they are started by is not there', async () => {
    const manifest = { version: 1, yield_version: '0.2.0', run: ['no-such-language', 'main.mjs'] };
    await deploy(manifest);
    expect(failureText(await run(executors(), start('ask')))).toMatch(
      /^error CODE_FAILED: .*no-such-language/,
    );
  });

  it.each([
    ['throw', /^error CODE_FAILED: The skill "bakery" cannot go on: .*exit status 1.*the oven is cold/],
    ['chat', /^error CODE_FAILED: .*invalid program output: .*It wrote last: warming up/],
  ])('fail with their own words: %s', async (order, words) => {
    expect(failureText(await run(executors(), start(order)))).toMatch(words);
    expect(await journal.load(TURN, '0.journal', 1)).toEqual([]);
  });

  it('H2: are killed when their time is over, with all that they have started', async () => {
    const result = await run(executors({ timeout: '1s' }), start('spin'));
    expect(failureText(result)).toMatch(/^error CODE_TIMEOUT: A decision of the skill "bakery" did not end/);
    const pid = Number(await readFile(effects, 'utf8'));
    await until(() => isGone(pid), 10_000);
  });

  it('are refused when any of their sources was changed', async () => {
    await writeFile(join(folder, 'skills/bakery/helper.py'), 'print(1)');
    const { error } = await run(executors(), start('env'));
    expect(error?.code).toBe('CODE_UNKNOWN');
    expect(error?.message).toContain('it was changed after it was built, and is not run');
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
