import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CallJob,
  type CodeRef,
  COMMAND_CLASS,
  type CommandResult,
  type CommandsConfig,
  type Config,
  type OutputRef,
  SkillyardError,
  type StepResult,
  turnId,
  type WorkingMemory,
} from '@skillyard/contracts';
import { until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Executors, type ExecutorsOptions, localMemory } from '../src/index.ts';
import { callJob, executorsFor, failureText, run } from './jobs.ts';

const TURN = turnId('t1');
const SECRET = 'a-very-secret-token';
const ALL = ['*'];

describe('the commands of programs', () => {
  let folder: string;
  let code: CodeRef;
  const memory = localMemory();

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-commands-')));
    await mkdir(join(folder, 'crane'));
    await writeFile(join(folder, 'crane', 'main.mjs'), '// a program');
    const sha256 = createHash('sha256').update('// a program').digest('hex');
    code = { runtime: 'kit', name: 'crane', sha256 };
    const header = { name: 'crane', mode: 'code', code: { runtime: 'kit', file: 'main.mjs', sha256 } };
    await writeFile(join(folder, 'crane', 'skill.yaml'), JSON.stringify(header));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const executors = (
    commands: CommandsConfig | undefined,
    rest: Partial<ExecutorsOptions> = {},
  ): Executors => {
    const config: Config = { skills: [folder], ...(commands && { commands }) };
    const env = { YARD: 'north', CRANE_TOKEN: SECRET, HIDDEN: 'x' };
    return executorsFor(config, { env, memory, baseDir: folder, ...rest });
  };
  const commandJob = (command: string, timeoutMs = 60_000): CallJob =>
    callJob(
      `${COMMAND_CLASS}:run`,
      { command, timeoutMs },
      {
        origin: 'code',
        effect: 'once',
        at: { code, journal: '0.journal', rounds: 1 },
      },
    );
  const valueOf = ({ value }: StepResult): CommandResult => value as unknown as CommandResult;
  const stored = async (ref: OutputRef | undefined): Promise<string> => {
    const found = await memory.get(TURN, ref?.ref ?? '');
    return found.found ? found.text : 'nothing';
  };

  it('are refused when the configuration does not allow them, and it is said what to write', async () => {
    for (const config of [undefined, {}, { allow: ['touch *'] }]) {
      const refused = await run(executors(config), commandJob('touch made; touch "$HOME"'));
      expect(failureText(refused)).toMatch(/^denied COMMAND_DENIED: The program "crane" wants to run/);
      expect(refused).toMatchObject({
        sent: false,
        error: { message: expect.stringContaining(String.raw`{allow: ["touch made; touch \"$HOME\""]}`) },
      });
    }
    const long = await run(executors({}), commandJob(`echo ${'x'.repeat(100_000)}`));
    expect(long.error?.message.length).toBeLessThan(700);
    expect(await readdir(join(folder, 'crane'))).toEqual(['main.mjs', 'skill.yaml']);
  });

  it('run in the folder of their program, or in one that is named, with nothing of our environment', async () => {
    const command = 'pwd; echo "$YARD-$HIDDEN"; exit 3';
    const own = await run(executors({ allow: ALL }), commandJob(command));
    expect(own).toMatchObject({
      status: 'ok',
      value: { exit_code: 3, stdout: `${join(folder, 'crane')}\n-\n`, stderr: '' },
    });
    expect(JSON.parse(own.text)).toEqual(own.value);
    await mkdir(join(folder, 'yard'));
    const named = executors({ allow: [command], cwd: 'yard', env_from: ['YARD'] });
    expect(valueOf(await run(named, commandJob(command))).stdout).toBe(`${join(folder, 'yard')}\nnorth-\n`);
    const unknown = commandJob('true');
    const other = { ...unknown, at: { code: { ...code, sha256: '0'.repeat(64) }, journal: '', rounds: 0 } };
    expect(failureText(await run(executors({ allow: ALL }), other))).toContain('CODE_UNKNOWN');
  });

  it('end at the time of their program, or at that of the configuration, or with their turn', async () => {
    const late = await run(executors({ allow: ALL, timeout: '300ms' }), commandJob('echo a; sleep 300'));
    expect(valueOf(late)).toEqual({ exit_code: -1, stdout: 'a\n', stderr: '', timed_out: true });
    expect(valueOf(await run(executors({ allow: ALL }), commandJob('sleep 300', 100)))).toMatchObject({
      timed_out: true,
    });
    const abort = new AbortController();
    const running = run(executors({ allow: ALL }), commandJob('touch begun; sleep 300'), abort.signal);
    await until(async () => (await readdir(join(folder, 'crane'))).includes('begun'));
    abort.abort(new SkillyardError('TURN_CANCELLED', 'enough'));
    expect(await running).toMatchObject({ status: 'error', error: { code: 'TURN_CANCELLED' }, sent: true });
  });

  it('have their limits, and one that cannot be set is a failure', async () => {
    const limits = { cpu_seconds: 60, memory_mb: 1024, file_mb: 2, open_files: 64 };
    const command = 'ulimit -t; ulimit -v; ulimit -f; ulimit -n';
    const limited = await run(executors({ allow: ALL, ...limits }), commandJob(command));
    expect(valueOf(limited).stdout).toBe('60\n1048576\n4096\n64\n');
    const missing = await run(executors({ allow: ALL, cwd: 'nowhere' }), commandJob('true'));
    expect(missing).toMatchObject({ status: 'error', sent: false, error: { code: 'STEP_FAILED' } });
    expect(missing.error?.message).toContain('there is no folder');
  });

  it('leave what is long or binary in working memory, byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    await writeFile(join(folder, 'crane', 'bytes'), bytes);
    const command = 'yes äb | head -c 600001; cat bytes >&2';
    const result = await run(executors({ allow: ALL }), commandJob(command));
    const { stdout, stdout_ref: text, stderr_ref: binary } = valueOf(result);
    const written = 'äb\n'.repeat(150_001).slice(0, 450_000);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(262_144);
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(4096);
    // No text: 600,001 bytes are 150,000 lines and a part of a character.
    expect(text).toMatchObject({ encoding: 'base64', bytes: 600_001, kept: 600_001 });
    expect(Buffer.from(await stored(text), 'base64').toString('utf8')).toBe(`${written}\uFFFD`);
    expect(binary).toMatchObject({ encoding: 'base64', bytes: 70_000, sha256: sha256Of(bytes) });
    expect(Buffer.from(await stored(binary), 'base64')).toEqual(bytes);

    const bounded = await run(
      executors({ allow: ALL, output_bytes: 300_001 }),
      commandJob('yes äb | head -c 600000; yes | head -c 300000 >&2'),
    );
    const { stdout_ref: cut, stderr_ref: whole } = valueOf(bounded);
    // No half of a character: it would make the text none.
    expect(cut).toMatchObject({ encoding: 'raw', bytes: 600_000, kept: 300_000 });
    expect(await stored(cut)).toBe(written.slice(0, 225_000));
    expect(whole).toMatchObject({ encoding: 'raw', bytes: 300_000, sha256: sha256Of('y\n'.repeat(150_000)) });
  });

  it('tell no secret, neither in a result nor in working memory', async () => {
    const speaking = executors({ allow: ALL, env_from: ['CRANE_TOKEN'] });
    const command = 'echo "$CRANE_TOKEN"; yes | head -c 300000 >&2; echo "$CRANE_TOKEN" >&2';
    const result = await run(speaking, commandJob(command));
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(valueOf(result).stdout).toBe('[secret CRANE_TOKEN]\n');
    expect((await stored(valueOf(result).stderr_ref)).slice(300_000)).toBe('[secret CRANE_TOKEN]\n');
    const binary = valueOf(await run(speaking, commandJob(String.raw`printf '\377%s' "$CRANE_TOKEN"`)));
    const bytes = Buffer.from(await stored(binary.stdout_ref), 'base64');
    expect(bytes.toString('latin1')).toBe('\xFF[secret CRANE_TOKEN]');
  });

  it('keep their result when working memory is full, and are lost when it cannot be kept', async () => {
    const command = 'yes | head -c 300000; exit 4';
    const full = executors({ allow: ALL }, { memory: localMemory({ maxBytes: 1000 }) });
    expect(valueOf(await run(full, commandJob(command)))).toMatchObject({
      exit_code: 4,
      stdout_ref: { bytes: 300_000, kept: 0, sha256: sha256Of('') },
    });
    const reasons = [
      new SkillyardError('REDIS_UNAVAILABLE', 'Redis is away.'),
      new Error('ENOSPC: no space left on device, write'),
    ];
    for (const reason of reasons) {
      const away: WorkingMemory = { ...memory, put: () => Promise.reject(reason) };
      const lost = await run(executors({ allow: ALL }, { memory: away }), commandJob(command));
      expect(lost).toMatchObject({ status: 'lost', sent: true, error: { code: 'STEP_LOST' } });
      expect(lost.error?.message).toContain(reason.message);
      expect(lost.error?.message).toContain('it is not repeated');
    }
  });
});

const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
