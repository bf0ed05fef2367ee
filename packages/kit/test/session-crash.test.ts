import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@skillyard/testing';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowResult } from '../src/workflow/result.ts';

/** A run takes about this long on an idle machine; kills are spread over it. */
const KILLS_AFTER_MS = [40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 250, 280];
const CROWD = 5;
const ANSWER = { rows: 3 };

interface Call {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = '';
let script = '';
let marks = '';
let runs = 0;
let pointer = { sessionId: '', file: '' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kit-crash-'));
  script = join(folder, 'skill.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./cli/crash-skill.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@skillyard/source'],
    // A workflow loads neither the server nor the platform's side.
    external: ['../mcp/index.ts', '../hosted/index.ts'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
});

beforeEach(async () => {
  runs += 1;
  marks = join(folder, `marks-${runs}`);
  mkdirSync(marks);
  const started = await call(['--session', 'new', '--session-dir', folder]);
  pointer = JSON.parse(started.stdout) as { sessionId: string; file: string };
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  readonly kill: (signal: NodeJS.Signals) => boolean;
  readonly ended: Promise<Call>;
}

function begin(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [script, ...argv], {
    env: { ...process.env, MARKS: marks, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const ended = new Promise<Call>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { kill: (signal) => child.kill(signal), ended };
}

async function call(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Call> {
  return await begin(argv, env).ended;
}

function words(step?: string, output?: unknown): string[] {
  const answer = step === undefined ? [] : ['--step', step, '--output', JSON.stringify(output)];
  return ['advance', ...answer, '--session', pointer.sessionId, '--session-dir', folder];
}

function appendAnswer(output: unknown = ANSWER): void {
  appendFileSync(pointer.file, `${JSON.stringify({ type: 'output', step: 'plant', output })}\n`);
}

function resultOf({ stdout, stderr }: Call): WorkflowResult {
  expect(stderr).not.toContain('error: ');
  const line = readFileSync(pointer.file, 'utf8').split('\n')[Number(stdout) - 1] ?? '';
  return JSON.parse(line) as WorkflowResult;
}

/** How often an action did what it does. */
function times(action: string): number {
  const file = join(marks, action);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0;
}

describe('an advance that is killed after an action has ended', () => {
  it.each(['save', 'next', 'next of the gate', 'prompt', 'observer'])(
    'at %s, does not repeat the action when it is made again, and the session goes on',
    async (point) => {
      appendAnswer();
      const killed = await call(words(), { DIE_AT: point });
      expect(killed.signal).toBe('SIGKILL');
      expect(resultOf(await call(words()))).toMatchObject({ kind: 'prompt', step: 'note' });
      expect([times('plant'), times('gate')]).toEqual([1, 1]);
      expect(resultOf(await call(words('note', { note: 'n' })))).toMatchObject({ kind: 'done' });
      expect([times('plant'), times('gate')]).toEqual([1, 1]);
    },
  );

  it('takes the answer on the command line as the one it was', async () => {
    const again = words('plant', ANSWER);
    await call(again, { DIE_AT: 'next' });
    expect(resultOf(await call(again))).toMatchObject({ kind: 'prompt', step: 'note' });
    expect(times('plant')).toBe(1);
    const lines = readFileSync(pointer.file, 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('"type":"output"'))).toHaveLength(1);
  });

  it('runs the action for another answer', async () => {
    await call(words('plant', ANSWER), { DIE_AT: 'next' });
    expect(resultOf(await call(words('plant', { rows: 4 })))).toMatchObject({ kind: 'prompt', step: 'note' });
    expect(times('plant')).toBe(2);
  });
});

describe('an advance that is killed within an action', () => {
  it.each([
    ['plant begins', 0],
    ['plant ends', 1],
  ])(
    'when %s, says that the end is not known, and runs it when the answer is given once more',
    async (point, done) => {
      appendAnswer();
      await call(words(), { DIE_AT: point });
      const told = resultOf(await call(words()));
      expect(told).toMatchObject({ kind: 'error', step: 'plant', retry: true });
      expect(told).toHaveProperty('message', expect.stringContaining('was interrupted'));
      expect(times('plant')).toBe(done);
      appendAnswer();
      expect(resultOf(await call(words()))).toMatchObject({ kind: 'prompt', step: 'note' });
      expect(times('plant')).toBe(done + 1);
    },
  );

  it('of a later step, does not repeat the action that had ended', async () => {
    appendAnswer();
    await call(words(), { DIE_AT: 'gate ends' });
    expect(resultOf(await call(words()))).toMatchObject({ kind: 'error', step: 'plant', retry: true });
    appendAnswer();
    expect(resultOf(await call(words()))).toMatchObject({ kind: 'prompt', step: 'note' });
    expect([times('plant'), times('gate')]).toEqual([1, 2]);
  });
});

describe('an advance that is killed at any time', () => {
  it.each(KILLS_AFTER_MS)('such as after %d ms, repeats nothing that it did not report', async (afterMs) => {
    const again = words('plant', ANSWER);
    const running = begin(again);
    setTimeout(() => running.kill('SIGKILL'), afterMs);
    await running.ended;
    let reports = 0;
    let result = resultOf(await call(again));
    while (result.kind === 'error') {
      expect(result.message).toContain('was interrupted');
      reports += 1;
      result = resultOf(await call(again));
    }
    expect(result).toMatchObject({ kind: 'prompt', step: 'note' });
    expect(times('plant')).toBeLessThanOrEqual(1 + reports);
    expect(times('gate')).toBeLessThanOrEqual(1 + reports);
    expect(resultOf(await call(words('note', { note: 'n' })))).toMatchObject({ kind: 'done' });
  });
});

describe('two advances of one session', () => {
  it('are not taken at once: the second is refused and says so', async () => {
    appendAnswer();
    const first = begin(words(), { WAIT: 'yes' });
    await until(() => existsSync(join(marks, 'waiting')));
    const second = await call(words());
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(/^error: session "[0-9a-f]{32}" is being advanced by another call/);
    expect((await call(['cleanup', ...words().slice(1)])).stderr).toContain('is being advanced');
    writeFileSync(join(marks, 'go'), '');
    expect(resultOf(await first.ended)).toMatchObject({ kind: 'prompt', step: 'note' });
    expect(times('plant')).toBe(1);
  });

  it('do the work of one, however many there are', async () => {
    appendAnswer();
    const calls = await Promise.all(Array.from({ length: CROWD }, async () => call(words())));
    const winners = calls.filter(({ code }) => code === 0);
    expect(winners.length).toBeGreaterThanOrEqual(1);
    for (const winner of winners) expect(resultOf(winner)).toMatchObject({ kind: 'prompt', step: 'note' });
    for (const { code, stderr } of calls) if (code !== 0) expect(stderr).toContain('is being advanced');
    expect([times('plant'), times('gate')]).toEqual([1, 1]);
  });
});

describe('a process that is asked to end', () => {
  it('aborts its action, says so, and leaves the answer to be taken again', async () => {
    appendAnswer();
    const running = begin(words(), { WAIT: 'yes' });
    await until(() => existsSync(join(marks, 'waiting')));
    running.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('error: ');
    expect(resultOf(await call(words()))).toMatchObject({ kind: 'prompt', step: 'note' });
  });
});

describe('what the author prints', () => {
  it('goes to stderr', async () => {
    appendAnswer();
    const { stdout, stderr } = await call(words());
    expect(stdout).toMatch(/^\d+\n$/);
    expect(stderr).toContain('the author prints\nand writes\n');
  });
});
