/** Where the two programs end when answers are other ones, and the one in TypeScript as a turn of the platform. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommandLine } from 'skillyard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExampleRun, TurnDocument } from '../run-example.ts';

const HERE = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), 'program-examples-'));
afterAll(() => rmSync(work, { recursive: true }));

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command in this process, from the folder of the copies. */
async function skillyard(...args: readonly string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCommandLine(args, {
    cwd: work,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdin: noInput(),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    onInterrupt: () => () => undefined,
    exitNow: (code) => {
      throw new Error(`nobody interrupts an example, and it wants to exit with ${code}`);
    },
  });
  return { exitCode, out: out.join(''), err: err.join('') };
}

async function* noInput(): AsyncGenerator<string> {
  await sleep(0);
  yield '';
}

/** Tests a copy of an example with its fixtures, but for some answers. */
function testWith(example: string, changed: Readonly<Record<string, unknown>>): Promise<Ran> {
  const file = join(example, 'fixtures/responses.json');
  const responses = JSON.parse(readFileSync(join(HERE, file), 'utf8')) as object;
  writeFileSync(join(work, file), JSON.stringify({ ...responses, ...changed }));
  return skillyard('program', 'test', example);
}

beforeAll(() => {
  cpSync(HERE, work, { recursive: true });
  symlinkSync(join(HERE, '../../node_modules'), join(work, 'node_modules'));
});

describe('tape-archive', () => {
  beforeAll(async () => {
    const { err } = await skillyard('program', 'build', 'tape-archive');
    expect(err).toBe('');
  });

  it('ends when a place does not stand in its transcript, whatever the model says', async () => {
    const invented = { title: 'Keeping the sluice by ear', place: 'Venice', tells_of_others: false };
    const { exitCode, err } = await testWith('tape-archive', { 'describe-tape-01': invented });
    expect(exitCode).toBe(1);
    expect(err).toContain('requirement_failed: the place of tape-01 stands in its transcript');
  });

  it('is a turn of the platform, with the same questions, the same commands and the same ending', async () => {
    const { exitCode, turn } = await hosted('skillyard.yaml');
    expect(exitCode).toBe(0);
    expect(turn).toMatchObject({ status: 'completed', usage: { generations: 4, calls: 5 } });
    expect(JSON.parse(turn.answer ?? '')).toEqual({
      catalogue: [
        { tape: 'tape-01', title: 'Keeping the sluice by ear', place: 'Harrowford', access: 'open' },
        { tape: 'tape-02', title: 'Dances after choir practice', place: 'Nether Coombe', access: 'closed' },
        { tape: 'tape-03', title: 'Four crossings a day', place: 'Saltmere', access: 'open' },
      ],
    });
    expect(turn.requirements?.map(({ passed }) => passed)).toEqual([true, true, true, true]);
  });

  it('runs no command there that nobody allowed', async () => {
    const config = readFileSync(join(HERE, 'skillyard.yaml'), 'utf8').replace('- ls transcripts', '- ls');
    writeFileSync(join(work, 'narrow.yaml'), config);
    const { exitCode, turn } = await hosted('narrow.yaml');
    expect(exitCode).toBe(5);
    expect(turn).toMatchObject({ status: 'denied', usage: { calls: 1 }, error: { code: 'COMMAND_DENIED' } });
  });

  it('hands nothing over there when somebody says no', async () => {
    writeFileSync(join(work, 'no.json'), '{ "access-tape-02": "withheld", "sign": "no" }');
    const { exitCode, turn } = await hosted('skillyard.yaml', 'no.json');
    expect(exitCode).toBe(6);
    expect(turn).toMatchObject({
      status: 'refused',
      exitReason: 'whoever keeps the tapes does not hand them over',
    });
  });
});

describe('meter-round', () => {
  it.each([
    [
      'blocked: plot-4 seems to have a leak: it hisses',
      { 'judge-plot-4': { cause: 'leak', why: 'it hisses' } },
    ],
    ['blocked: nobody can say what the meter of plot-3 shows', unreadable()],
    ['requirement_failed: the plots used no more than', { 'reread-plot-3-1': { value: '120' } }],
  ])('ends before anybody pays: %s', async (ending, changed) => {
    expect(await testWith('meter-round', changed)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(ending),
    });
  });
});

function unreadable(): Record<string, unknown> {
  return Object.fromEntries([1, 2, 3].map((attempt) => [`reread-plot-3-${attempt}`, { value: 'mud' }]));
}

async function hosted(config: string, answers = 'tape-archive/answers.json'): Promise<ExampleRun> {
  const command = ['run', 'tape-archive', '-c', config, '--answers', answers, '--json'];
  const { exitCode, out } = await skillyard(...command);
  return { exitCode, turn: JSON.parse(out) as TurnDocument };
}
