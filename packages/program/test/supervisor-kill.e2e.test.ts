/** The supervisor as a process of its own, killed wherever it can be: what was recorded is never done again. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killHard, type NodeProcess, spawnNode, until } from '@skillyard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callProgram } from './call-program.ts';
import { makeSkill } from './make-skill.ts';

const BIN = fileURLToPath(new URL('../src/bin.ts', import.meta.url));

let work: string;
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'program-kill-')));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

interface LogLine {
  readonly type: string;
  readonly data: { readonly request_id?: string; readonly request?: { readonly id: string } };
}

/** A skill whose run is looked at from outside. */
class Watched {
  readonly name: string;
  readonly folder: string;

  constructor(name: string, program: string) {
    this.name = name;
    this.folder = makeSkill(work, name, program);
  }

  supervise(...args: string[]): NodeProcess {
    return spawnNode(BIN, args, { cwd: work });
  }

  resume(...flags: string[]): NodeProcess {
    return this.supervise('resume', this.runId, '--skill', this.name, ...flags);
  }

  get runId(): string {
    const log = readdirSync(join(this.folder, '.yield/runs')).find((file) => file.endsWith('.jsonl'));
    if (log === undefined) throw new Error('no run yet');
    return log.replace('.jsonl', '');
  }

  /** Whole lines only: the last one may be on its way. */
  get log(): LogLine[] {
    const text = readFileSync(join(this.folder, '.yield/runs', `${this.runId}.jsonl`), 'utf8');
    const lines = text.slice(0, text.lastIndexOf('\n')).split('\n');
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** Ids of commands whose results are recorded. */
  get recorded(): string[] {
    return this.log.flatMap(({ type, data }) =>
      type === 'operation.completed' ? [data.request_id ?? ''] : [],
    );
  }

  /** The command that was asked for and has no result. */
  get inFlight(): string | undefined {
    const { log, recorded } = this;
    const id = log.findLast(({ type }) => type === 'operation.requested')?.data.request?.id;
    return id === undefined || recorded.includes(id) ? undefined : id;
  }

  /** What the commands have done, in order. */
  get ran(): string[] {
    return this.has('ran') ? readFileSync(join(this.folder, 'ran'), 'utf8').trimEnd().split('\n') : [];
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  /** Whether a process is at work in its folder. */
  get isBusy(): boolean {
    if (!existsSync('/proc/self')) return false;
    return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && folderOf(pid) === this.folder);
  }

  touch(file: string): void {
    writeFileSync(join(this.folder, file), '');
  }

  remove(file: string): void {
    rmSync(join(this.folder, file));
  }
}

/** Programs and commands that are held stand still until the file is gone, and say by another one that they have come so far. */
const HELD = `
const hold = (name) => {
  while (existsSync('hold-' + name)) {
    if (!existsSync('at-' + name)) writeFileSync('at-' + name, '');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
};
const wait = (name) => 'while [ -e hold-' + name + ' ]; do touch at-' + name + '; sleep 0.01; done';
hold('program-' + entries.length);
for (const id of ['a', 'b']) sh(id, wait('before-' + id) + '; echo ' + id + ' >> ran; ' + wait('after-' + id));
end('completed', { result: entries.length });`;

it('never repeats what was recorded, and says what may have been done, wherever it is killed', async () => {
  const skill = new Watched('held', HELD);
  const holds = ['program-0', 'before-a', 'after-a', 'program-1', 'before-b', 'after-b', 'program-2'];
  for (const name of holds) skill.touch(`hold-${name}`);
  const killAt = async (name: string, supervisor: NodeProcess): Promise<void> => {
    await until(() => skill.has(`at-${name}`), 20_000, `standing still at ${name}: ${supervisor.stderr()}`);
    const beside = await callProgram(work, `resume ${skill.runId} --skill held --run-again`);
    expect(beside.stderr).toContain(`is held by another supervisor (process ${supervisor.pid} on `);
    await killHard(supervisor);
    // What it ran is ended by its guard, which may come a moment later.
    await until(() => !skill.isBusy, 20_000, `the end of what stood at ${name}`);
    skill.remove(`hold-${name}`);
  };
  /** Whoever takes the run up is told, and nothing is done. */
  const refused = async (id: string, sequence: number): Promise<void> => {
    const before = skill.ran;
    const { exitCode, stderr } = await callProgram(work, `resume ${skill.runId} --skill held`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`command "${id}" (sequence ${sequence}) may have been run`);
    expect(skill.ran).toEqual(before);
  };

  await killAt('program-0', skill.supervise('run', 'held'));
  await killAt('before-a', skill.resume());
  await refused('a', 1);
  expect(skill.ran).toEqual([]);
  // Before its effect: it is safe to run it again, as somebody has looked.
  await killAt('after-a', skill.resume('--run-again'));
  await refused('a', 1);
  expect(skill.ran).toEqual(['a']);
  // Behind its effect: what came of it is recorded by hand.
  const json = JSON.stringify({ exit_code: 0, stdout: 'by hand', stderr: '' });
  await killAt(
    'program-1',
    skill.supervise('respond', skill.runId, '--skill', 'held', '--result-json', json),
  );
  expect(skill.recorded).toEqual(['a']);
  await killAt('before-b', skill.resume());
  await refused('b', 2);
  await killAt('after-b', skill.resume('--run-again'));
  await refused('b', 2);
  const respond = skill.supervise('respond', skill.runId, '--skill', 'held', '--result-json', json);
  await killAt('program-2', respond);
  const { stdout } = await callProgram(work, `resume ${skill.runId} --skill held`);
  expect(stdout).toBe(`run ${skill.runId}: completed\nresult: 2\n`);
  expect(skill.ran).toEqual(['a', 'b']);
  expect(skill.log.filter(({ type }) => type === 'command.repeated')).toHaveLength(2);
});

const MANY = `
for (let index = 0; index < 8; index++) sh('c' + index, 'echo c' + index + ' >> ran');
end('completed', { result: entries.length });`;

it('does every command once when it is killed at any moment, but for those that somebody has repeated', async () => {
  const skill = new Watched('many', MANY);
  let supervisor = skill.supervise('run', 'many');
  const repeated: string[] = [];
  for (const lines of [1, 2, 3, 7, 11, 16]) {
    await until(() => skill.log.length >= lines, 20_000, `${lines} lines: ${supervisor.stderr()}`);
    await killHard(supervisor);
    const { inFlight } = skill;
    if (inFlight !== undefined) repeated.push(inFlight);
    supervisor = skill.resume(...(inFlight === undefined ? [] : ['--run-again']));
  }
  expect((await supervisor.exited).code).toBe(0);
  expect(supervisor.stdout()).toContain('result: 8\n');
  expect(skill.recorded).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
  for (const id of skill.recorded) {
    const times = skill.ran.filter((one) => one === id).length;
    const most = 1 + repeated.filter((one) => one === id).length;
    expect(times >= 1 && times <= most ? 'as often as it may' : `${id}: ${times} times`).toBe(
      'as often as it may',
    );
  }
});

it('ends with a program that goes round in circles, however it is ended itself', async () => {
  const skill = new Watched(
    'circles',
    "writeFileSync('pid', process.pid + ' ' + process.env.YIELD_JOURNAL); process.on('SIGTERM', () => {}); for (;;);",
  );
  const victim = skill.supervise('run', skill.name);
  const file = join(skill.folder, 'pid');
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  const [pid = '', given = ''] = readFileSync(file, 'utf8').split(' ');
  await killHard(victim);
  await until(() => !lives(Number(pid)) && !existsSync(dirname(given)));
});

function folderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended, or is not ours.
    return null;
  }
}

/** One that is dead and that nobody has asked about does not. */
function lives(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, 'latin1'));
}
