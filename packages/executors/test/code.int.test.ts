import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ACTION_CLASS,
  type CallJob,
  type CodeJournal,
  type CodeRef,
  type Config,
  type DecideJob,
  type JobId,
  type Json,
  SkillyardError,
  type StepResult,
  turnId,
} from '@skillyard/contracts';
import { until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Executors, type ExecutorsOptions, localJournal } from '../src/index.ts';
import { executorsFor, failureText, run } from './jobs.ts';

const FIXTURE = fileURLToPath(new URL('code/host-fixture.mjs', import.meta.url));
const TURN = turnId('t1');

describe('the code of skills', () => {
  let folder: string;
  let effects: string;
  let code: CodeRef;
  let journal: CodeJournal;
  const open: Executors[] = [];

  let journals = 0;

  /** Lays a skill of this code into a folder of skills. */
  const deploy = async (name: string, source: string): Promise<CodeRef> => {
    const dir = join(folder, 'skills', name);
    await mkdir(join(dir, 'bin'), { recursive: true });
    const sha256 = createHash('sha256').update(source).digest('hex');
    await writeFile(join(dir, 'bin/skill.mjs'), source);
    const header = { name, mode: 'code', code: { runtime: 'kit', file: 'bin/skill.mjs', sha256 } };
    await writeFile(join(dir, 'skill.yaml'), JSON.stringify(header));
    return { runtime: 'kit', name, sha256 };
  };
  const executors = (config: Config['code'] = {}, rest: Partial<ExecutorsOptions> = {}): Executors => {
    const made = executorsFor(
      { skills: [join(folder, 'skills')], code: { env_from: ['EFFECTS', 'CALENDAR_TOKEN'], ...config } },
      { journal, env: { EFFECTS: effects, CALENDAR_TOKEN: 'a-very-secret-token', HIDDEN: 'x' }, ...rest },
    );
    open.push(made);
    return made;
  };
  const decideJob = (order: string, rounds = 0, ref = code, name = `${++journals}.journal`): DecideJob => ({
    id: `t1.0.d${rounds}` as JobId,
    turnId: TURN,
    path: '0',
    step: 'bakery',
    kind: 'decide',
    at: { code: ref, journal: name, rounds },
    event: { type: 'start', vars: { order } },
  });
  const actionJob = (order: string, rest: Partial<CallJob> = {}): CallJob => ({
    id: 't1.0.v0.c' as JobId,
    turnId: TURN,
    path: '0.v0',
    step: order,
    kind: 'call',
    server: ACTION_CLASS,
    tool: `oven.${order}`,
    args: { grams: 5 },
    fill: [],
    notes: [],
    origin: 'code',
    at: { code, journal: '0.journal', rounds: 0 },
    effect: 'once',
    ...rest,
  });
  const outputOf = ({ value }: StepResult): Json =>
    (value as { directive: { output: Json } }).directive.output;
  const done = async (): Promise<string[]> =>
    (await readFile(effects, 'utf8').catch(() => '')).split('\n').filter((word) => word !== '');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-code-'));
    effects = join(folder, 'effects');
    code = await deploy('bakery', await readFile(FIXTURE, 'utf8'));
    journal = localJournal();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await rm(folder, { recursive: true, force: true });
  });

  describe('a decision', () => {
    it('K1: is in the journal before it is given, and the next one is made with it', async () => {
      const bakery = executors();
      const first = await run(bakery, decideJob('cwd', 0, code, '0.journal'));
      expect(outputOf(first)).toBe(join(folder, 'skills', 'bakery'));
      expect(await journal.load(TURN, '0.journal', 1)).toEqual([
        { event: { type: 'start', vars: { order: 'cwd' } }, memo: { order: 'cwd' } },
      ]);
      expect(outputOf(await run(bakery, decideJob('rounds', 1, code, '0.journal')))).toEqual(
        await journal.load(TURN, '0.journal', 1),
      );
    });

    it('K1: that was kept by another worker first is the one that holds', async () => {
      const [slow, quick] = [executors(), executors()];
      const first = outputOf(await run(quick, decideJob('pid', 0, code, '0.journal')));
      const [kept] = await journal.load(TURN, '0.journal', 1);
      expect(outputOf(await run(slow, decideJob('pid', 0, code, '0.journal')))).toBe(first);
      expect(await journal.load(TURN, '0.journal', 1)).toEqual([kept]);
    });

    it('is made in a process that stays, with an environment of its own', async () => {
      const bakery = executors();
      const pid = outputOf(await run(bakery, decideJob('pid')));
      expect(outputOf(await run(bakery, decideJob('pid')))).toBe(pid);
      const names = outputOf(await run(bakery, decideJob('env'))) as string[];
      expect(names).toEqual(expect.arrayContaining(['CALENDAR_TOKEN', 'EFFECTS', 'PATH']));
      expect(names).not.toContain('HIDDEN');
    });

    it('E3: holds no secret that the code was given', async () => {
      expect(outputOf(await run(executors(), decideJob('secret')))).toBe('[secret CALENDAR_TOKEN]');
    });

    it('that throws fails with CODE_FAILED and the words of the code', async () => {
      const text = failureText(await run(executors(), decideJob('throw')));
      expect(text).toBe('error CODE_FAILED: The code of the skill "bakery" failed: the oven is cold (OVEN)');
    });

    it('whose process dies may be made again, and is, by a new one', async () => {
      const bakery = executors();
      expect(failureText(await run(bakery, decideJob('die')))).toMatch(
        /CODE_UNAVAILABLE: .*ended with code 7/,
      );
      expect(await run(bakery, decideJob('pid'))).toMatchObject({ status: 'ok' });
    });

    it('H2: that hangs is killed when its time is over, and the next one has a new process', async () => {
      const bakery = executors({ timeout: '500ms' });
      const result = await run(bakery, decideJob('spin'));
      expect(failureText(result)).toMatch(
        /CODE_TIMEOUT: A decision of the skill "bakery" did not end within 500 ms/,
      );
      expect(await run(executors(), decideJob('pid'))).toMatchObject({ status: 'ok' });
      expect(await run(bakery, { ...decideJob('pid'), timeoutMs: 20_000 })).toMatchObject({ status: 'ok' });
    });

    it('is not disturbed by what the code writes to stdout', async () => {
      expect(outputOf(await run(executors(), decideJob('chat')))).toBe('done');
    });

    it.each([
      'no decision',
      'no fields',
      'no JSON',
      'no number first',
      'a deep output',
      'a deep memo',
      'a million observations',
      'ten thousand observations',
      'a time without end',
      'no question',
      'large',
      'huge',
    ])('H3: that is %s fails at once, and leaves its process alone', async (order) => {
      const bakery = executors({ timeout: '60s' });
      const pid = outputOf(await run(bakery, decideJob('pid')));
      const result = await run(bakery, decideJob(order));
      expect(failureText(result)).toMatch(/^error CODE_FAILED: .*gave an answer that cannot be taken: /);
      expect(failureText(result).length).toBeLessThan(1000);
      expect(outputOf(await run(bakery, decideJob('pid')))).toBe(pid);
    });

    it('cannot be made when the journal has lost a round', async () => {
      expect(failureText(await run(executors(), decideJob('pid', 2)))).toMatch(
        /CODE_FAILED: .*of its 2 decisions 0 are kept/,
      );
    });
  });

  describe('an action', () => {
    it('gives its value, and has a process of its own', async () => {
      const bakery = executors();
      const result = await run(bakery, actionJob('input'));
      expect(result).toMatchObject({ status: 'ok', text: '{"grams":5}', value: { grams: 5 } });
      const pid = outputOf(await run(bakery, decideJob('pid')));
      expect((await run(bakery, actionJob('pid'))).value).not.toBe(pid);
    });

    it('K2: is lost when its process dies under it, unless a repeat does no harm', async () => {
      const bakery = executors();
      const once = await run(bakery, actionJob('die'));
      expect(once).toMatchObject({ status: 'lost', error: { code: 'STEP_LOST' }, sent: true });
      expect(once.error?.message).toContain('ended with code 7');
      const again = await run(bakery, actionJob('die', { effect: 'idempotent' }));
      expect(again).toMatchObject({ status: 'error', error: { code: 'CODE_UNAVAILABLE' }, sent: true });
      expect(await done()).toEqual(['die', 'die']);
    });

    it('H3: that gives too much fails, and what runs beside it goes on', async () => {
      const bakery = executors({ timeout: '60s' });
      const { value: pid } = await run(bakery, actionJob('pid'));
      const abort = new AbortController();
      const beside = run(bakery, actionJob('cancellable'), abort.signal);
      const result = await run(bakery, actionJob('huge'));
      expect(result).toMatchObject({ status: 'error', error: { code: 'CODE_FAILED' }, sent: true });
      expect((await run(bakery, actionJob('pid'))).value).toBe(pid);
      abort.abort(new SkillyardError('TURN_CANCELLED', 'the turn was cancelled'));
      expect(await beside).toMatchObject({ error: { code: 'TURN_CANCELLED' } });
    });

    it('may have more time than a timer has', async () => {
      const result = await run(executors(), actionJob('input', { timeoutMs: 30 * 24 * 3600 * 1000 }));
      expect(result).toMatchObject({ status: 'ok' });
    });

    it('that throws fails with its own words', async () => {
      const text = failureText(await run(executors(), actionJob('throw')));
      expect(text).toBe(
        'error CODE_FAILED: The action "oven.throw" of the skill "bakery" failed: the oven is cold (OVEN)',
      );
    });

    it('is told to stop when its turn is cancelled, and its process goes on', async () => {
      const bakery = executors();
      const { value: pid } = await run(bakery, actionJob('pid'));
      const abort = new AbortController();
      const running = run(bakery, actionJob('cancellable'), abort.signal);
      await until(async () => (await done()).includes('cancellable'), 10_000);
      abort.abort(new SkillyardError('TURN_CANCELLED', 'the turn was cancelled'));
      expect(await running).toMatchObject({ error: { code: 'TURN_CANCELLED' } });
      expect(await done()).toEqual(['pid', 'cancellable', 'cancelled']);
      expect((await run(bakery, actionJob('pid'))).value).toBe(pid);
    });

    it('H2: that does not stop is killed, and what ran beside it comes to its end first', async () => {
      const bakery = executors({ timeout: '20s' });
      const { value: pid } = await run(bakery, actionJob('pid'));
      const beside = run(bakery, actionJob('never', { timeoutMs: 8000 }));
      await until(async () => (await done()).includes('never'), 10_000);
      const result = await run(bakery, actionJob('cancellable', { timeoutMs: 100, step: 'never' }));
      expect(result).toMatchObject({ error: { code: 'CODE_TIMEOUT' }, sent: true });
      expect(() => process.kill(pid as number, 0)).not.toThrow();
      expect((await run(bakery, actionJob('pid'))).value).not.toBe(pid);
      expect(await beside).toMatchObject({ error: { code: 'CODE_TIMEOUT' } });
      await until(() => isGone(pid as number), 10_000);
    });
  });

  describe('which code runs', () => {
    it('is that of the turn by its hash, and CODE_UNKNOWN says what is wanted and what there is', async () => {
      const other = { ...code, sha256: 'f'.repeat(64) };
      const result = await run(executors(), decideJob('pid', 0, other));
      expect(failureText(result)).toMatch(
        /CODE_UNKNOWN: The turn began with the code ffffffffffff of the skill "bakery"/,
      );
      expect(result.error?.message).not.toContain(folder);
      expect(result.error?.message).toContain(`There is bakery ${code.sha256.slice(0, 12)}`);
    });

    it('is found when it is deployed later', async () => {
      const bakery = executors();
      await run(bakery, decideJob('pid'));
      const newer = await deploy('inn', `${await readFile(FIXTURE, 'utf8')}\n// newer`);
      await until(async () => (await run(bakery, decideJob('pid', 0, newer))).status === 'ok', 10_000);
    });

    it('is refused when the file was changed after it was built', async () => {
      await copyFile(FIXTURE, join(folder, 'skills/bakery/bin/skill.mjs'));
      await writeFile(join(folder, 'skills/bakery/bin/skill.mjs'), 'console.log("evil")');
      const { error } = await run(executors(), decideJob('pid'));
      expect(error?.code).toBe('CODE_UNKNOWN');
      expect(error?.message).toContain('it was changed after it was built, and is not run');
    });

    it.each(['../bakery/bin/skill.mjs', 'bin/link.mjs', '../../../effects'])(
      'is never outside of the folder that names it: %s',
      async (file) => {
        const dir = join(folder, 'skills/inn');
        await mkdir(join(dir, 'bin'), { recursive: true });
        await rm(join(folder, 'skills/bakery/skill.yaml'));
        await symlink(join(folder, 'skills/bakery/bin/skill.mjs'), join(dir, 'bin/link.mjs'));
        const header = { name: 'inn', mode: 'code', code: { runtime: 'kit', file, sha256: code.sha256 } };
        await writeFile(join(dir, 'skill.yaml'), JSON.stringify(header));
        const { error } = await run(executors(), decideJob('pid'));
        expect(error?.code).toBe('CODE_UNKNOWN');
        expect(error?.message).toContain('inn/skill.yaml names code that is not below its folder');
        expect(error?.message).not.toContain(folder);
      },
    );

    it('may be that of a folder beside those of the configuration', async () => {
      const built = join(folder, 'skills/bakery');
      const bakery = executorsFor({}, { codeFolders: [built], env: { EFFECTS: effects } });
      open.push(bakery);
      expect(await run(bakery, decideJob('pid'))).toMatchObject({ status: 'ok' });
    });
  });

  it('keeps no more processes than it may, of those that nothing waits for', async () => {
    const bakery = executors({ max_processes: 1 });
    const inn = await deploy('inn', `${await readFile(FIXTURE, 'utf8')}\n// another`);
    const pid = outputOf(await run(bakery, decideJob('pid'))) as number;
    await run(bakery, decideJob('pid', 0, inn));
    await until(() => isGone(pid), 10_000);
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
