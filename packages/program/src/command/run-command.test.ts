import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandResult, OutputRef } from '@skillyard/contracts';
import { killHard, spawnNode, until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_TEXT_BYTES } from './capture-output.ts';
import type { CommandOptions } from './command-options.ts';
import { fileOutputStore } from './file-output-store.ts';
import type { OutputStore } from './output-store.ts';
import { runCommand } from './run-command.ts';

const OUTPUT = '.yield/runs/run_1.out/1';

describe('a command', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-program-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (command: string, rest: Partial<CommandOptions> = {}): Promise<CommandResult> =>
    runCommand({
      command,
      cwd: folder,
      env: process.env,
      timeoutMs: 60_000,
      output: fileOutputStore({ folder, path: OUTPUT }),
      ...rest,
    });
  const pid = async (name: string): Promise<number> => Number(await readFile(join(folder, name), 'utf8'));
  /** Processes whose numbers commands have written into files here. */
  const pids = async (): Promise<number[]> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.pid'));
    return Promise.all(names.map(pid));
  };

  it('gives what it wrote and how it ended, as the protocol records it', async () => {
    const both = await run('echo out; echo err >&2; exit 7');
    expect(JSON.stringify(both)).toBe(String.raw`{"exit_code":7,"stdout":"out\n","stderr":"err\n"}`);
    const missing = await run('no-such-binary-here');
    expect(missing).toMatchObject({ exit_code: 127, stderr: expect.stringContaining('not found') });
    expect(await run('kill -9 $$')).toEqual({ exit_code: -1, stdout: '', stderr: '' });
    expect(await run('cat | wc -c | tr -d \' \'; basename "$PWD"')).toMatchObject({
      stdout: `0\n${basename(folder)}\n`,
    });
    expect(await run('')).toEqual({ exit_code: 0, stdout: '', stderr: '' });
    // No option of the shell, whatever it begins with; and streams have names, as in any shell.
    expect(await run('-x')).toMatchObject({ exit_code: 127 });
    expect(await run('echo a > /dev/stderr; echo b | tee /dev/stdout')).toEqual({
      exit_code: 0,
      stdout: 'b\nb\n',
      stderr: 'a\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends at its time limit with the output so far, and so does everything it has started', async () => {
    const sleeper = (name: string): string => `sh -c 'echo $$ > ${name}.pid; exec sleep 300'`;
    const tree = [
      `(${sleeper('grandchild')} & ${sleeper('child')}) &`,
      `setsid ${sleeper('session')} &`,
      `setsid setsid sh -c "${sleeper('deep').replaceAll('$$', String.raw`\$\$`)} & sleep 300" &`,
      `nohup ${sleeper('nohup')} > /dev/null 2>&1 &`,
      'while [ "$(ls *.pid 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.01; done',
      'echo before; exec >&- ; sleep 300; echo after',
    ].join('\n');
    const result = await run(tree, { timeoutMs: 3000 });
    expect(result).toEqual({ exit_code: -1, stdout: 'before\n', stderr: '', timed_out: true });
    const started = await pids();
    expect(started).toHaveLength(5);
    await until(async () => !(await Promise.all(started.map(lives))).includes(true));
  });

  it('takes a fork bomb of sleeping children with it', async () => {
    const bomb =
      'i=0; while [ $i -lt 200 ]; do setsid sleep 301 & sleep 301 & echo .; i=$((i+1)); done; wait';
    await writeFile(join(folder, 'bomb.sh'), bomb);
    const result = await run('sh bomb.sh & sh bomb.sh', { timeoutMs: 700 });
    expect(result).toMatchObject({ exit_code: -1, stdout: expect.stringContaining('.'), timed_out: true });
    await until(async () => !(await isRunning(['sleep', '301'])));
  });

  it('returns when it has ended, although its background holds the pipes', async () => {
    const result = await run(
      "sh -c 'echo $$ > 1.pid; exec sleep 302' & echo done; until test -s 1.pid; do :; done",
    );
    expect(result).toEqual({ exit_code: 0, stdout: 'done\n', stderr: '' });
    const [background = 0] = await pids();
    await until(async () => !(await lives(background)));
  });

  it('keeps 100 MB of each stream by reference, and little of it in memory', async () => {
    const line = '0123456789abcdef\n';
    const bytes = 100_000_000;
    const files = fileOutputStore({ folder, path: OUTPUT });
    let largest = 0;
    const output: OutputStore = {
      keep: (name, chunks) =>
        files.keep(
          name,
          (async function* () {
            for await (const chunk of chunks) {
              largest = Math.max(largest, chunk.length);
              yield chunk;
            }
          })(),
        ),
    };
    const before = process.memoryUsage().rss;
    const result = await run(`yes ${line.trim()} | head -c ${bytes} | tee /dev/stderr`, { output });
    expect(process.memoryUsage().rss - before).toBeLessThan(bytes);
    expect(largest).toBeLessThan(2 * MAX_TEXT_BYTES);
    const { stdout_ref: ref, ...rest } = result;
    expect(rest).toMatchObject({ exit_code: 0, stdout: result.stderr });
    expect(result.stdout).toBe(line.repeat(MAX_TEXT_BYTES).slice(0, MAX_TEXT_BYTES));
    const whole = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    const kept = { encoding: 'raw', bytes, kept: bytes, sha256 };
    expect(ref).toEqual({ ref: `${OUTPUT}.stdout`, ...kept });
    expect(result.stderr_ref).toEqual({ ref: `${OUTPUT}.stderr`, ...kept });
    const file = await stat(join(folder, ref?.ref ?? ''));
    expect([file.size, file.mode & 0o777]).toEqual([bytes, 0o600]);
  });

  it('keeps what is no text byte for byte, and says U+FFFD for it', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    await writeFile(join(folder, 'all'), all);
    const result = await run(String.raw`cat all; printf '\377\n<&>' >&2`);
    expect(await readFile(join(folder, result.stdout_ref?.ref ?? ''))).toEqual(all);
    expect(result.stdout.slice(0, 129)).toBe(`${all.toString('latin1', 0, 128)}\uFFFD`);
    expect(result.stderr).toBe('\uFFFD\n<&>');
    expect(result.stderr_ref).toMatchObject({ bytes: 5, kept: 5 });
  });

  it('writes through no link', async () => {
    const runs = join(folder, '.yield/runs');
    await mkdir(join(runs, 'run_1.out'), { recursive: true });
    await writeFile(join(folder, 'precious'), 'kept');
    await symlink(join(folder, 'precious'), join(runs, 'run_1.out/1.stdout'));
    const result = await run(String.raw`printf '\377'`);
    expect(await readFile(join(folder, result.stdout_ref?.ref ?? ''))).toEqual(Buffer.from([0xff]));
    expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('kept');
    await rename(join(runs, 'run_1.out'), join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(runs, 'run_1.out'));
    await expect(run(String.raw`printf '\377'`)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });

  it('never parts a character, and drops what is over the limit of the store without an end of the command', async () => {
    const output = fileOutputStore({ folder, path: OUTPUT, maxBytes: 300_000 });
    const result = await run('yes ä€😀x | tr -d "\\n" | head -c 400000; echo end >&2', { output });
    expect(result.stdout).toMatch(/^(ä€😀x)+(ä|ä€|ä€😀)?$/);
    expect(Buffer.byteLength(result.stdout)).toBeGreaterThan(MAX_TEXT_BYTES - 4);
    expect(Buffer.byteLength(result.stdout)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    const kept = await readFile(join(folder, result.stdout_ref?.ref ?? ''));
    expect(kept).toHaveLength(300_000);
    expect(result.stdout_ref).toMatchObject({ bytes: 400_000, kept: 300_000, sha256: sha256Of(kept) });
    expect(result.stderr).toBe('end\n');
    // Three bytes of U+FFFD for each byte of the stream.
    const binary = await run("head -c 200000 /dev/zero | tr '\\0' '\\377'", { output });
    expect(binary.stdout).toBe('\uFFFD'.repeat(Math.floor(MAX_TEXT_BYTES / 3)));
  });

  it('waits while the store writes', async () => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const output: OutputStore = {
      keep: async (_name, chunks): Promise<OutputRef> => {
        await gate;
        let bytes = 0;
        for await (const chunk of chunks) bytes += chunk.length;
        return { ref: 'x', encoding: 'raw', bytes, kept: bytes, sha256: sha256Of('') };
      },
    };
    const script = 'head -c 300000 /dev/zero; echo > first; head -c 3000000 /dev/zero; echo > second';
    const running = run(script, { output });
    await until(async () => (await readdir(folder)).includes('first'));
    expect(await readdir(folder)).toEqual(['first']);
    go();
    expect((await running).stdout_ref).toMatchObject({ bytes: 3_300_000 });
  });

  it('is ended by an abort and by a store that fails, and leaves no file behind', async () => {
    const abort = new AbortController();
    const script = "sh -c 'echo $$ > 1.pid; exec sleep 303' & head -c 500000 /dev/zero; sleep 304";
    const aborted = run(script, { signal: abort.signal });
    await until(async () => (await readdir(folder)).includes('1.pid') && (await pid('1.pid')) > 0);
    await until(() => existsSync(join(folder, `${OUTPUT}.stdout`)));
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const full: OutputStore = { keep: () => Promise.reject(new Error('disk full')) };
    await expect(run('yes', { output: full })).rejects.toThrow('disk full');
    await expect(run('echo', { signal: abort.signal })).rejects.toThrow('enough');
    const [background = 0] = await pids();
    await until(async () => !(await lives(background)));
    expect(await readdir(join(folder, '.yield/runs/run_1.out'))).toEqual([]);
  });

  it('has no children but its own', async () => {
    const { stdout } = await run('cat /proc/$$/task/$$/children; :');
    expect(stdout).toMatch(/^\d+ $/);
  });

  it('dies with who runs it', async () => {
    const script = "sh -c 'echo $$ > 1.pid; exec sleep 305' & exec sleep 305";
    const runner = fileURLToPath(new URL('../../test/run-one-command.ts', import.meta.url));
    const victim = spawnNode(runner, [script, folder]);
    await until(async () => (await readdir(folder)).includes('1.pid') && (await pid('1.pid')) > 0);
    await killHard(victim);
    const [background = 0] = await pids();
    await until(async () => !(await lives(background)) && !(await isRunning(['sleep', '305'])));
  });

  it('is limited in what its processes may take', async () => {
    const limits = { openFiles: 20, fileMb: 1, memoryMb: 512, cpuSeconds: 9 };
    const result = await run('ulimit -n; ulimit -f; ulimit -v; ulimit -t; head -c 3000000 /dev/zero > big', {
      limits,
    });
    expect(result).toMatchObject({ stdout: `20\n2048\n${512 * 1024}\n9\n`, exit_code: 153 });
    expect((await stat(join(folder, 'big'))).size).toBe(1024 * 1024);
  });

  it('says why it cannot be started', async () => {
    const failed = (part: string) => ({
      code: 'COMMAND_FAILED',
      message: expect.stringContaining(part) as string,
    });
    await expect(run('true', { cwd: join(folder, 'none') })).rejects.toMatchObject(
      failed('there is no folder'),
    );
    await expect(run('a\0b')).rejects.toMatchObject(failed('without null bytes'));
    await expect(run(`: ${'x'.repeat(200_000)}`)).rejects.toMatchObject(failed('E2BIG'));
    await expect(run('true', { limits: { openFiles: 1e12 } })).rejects.toMatchObject(
      failed('a limit cannot be set'),
    );
    await expect(run('true', { env: { PATH: folder } })).rejects.toMatchObject(failed('ENOENT'));
  });
});

const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** One that is dead and that nobody has asked about (`Z`) does not. */
async function lives(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return state !== '' && !/\) [ZX] /.test(state);
}

async function isRunning(argv: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    (await readdir('/proc')).map((name) => readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '')),
  );
  return found.includes(argv.map((word) => `${word}\0`).join(''));
}
