import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { turnId as asTurnId } from '@skillyard/contracts';
import { killHard, type NodeProcess, type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliRun, openWorkplace, type Workplace } from './cli-process.ts';
import { lookUntil } from './look-until.ts';

/** A step that a model answers, a question, a gate, an action that waits to be let go on, and a model again. */
const bakery = (effect: string): string => `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { act, action, skill, terminal, type } from '@skillyard/kit';

const bake = action({
  name: 'oven.bake',
  effect: '${effect}',
  input: type({ kind: 'string' }),
  output: type({ loaf: 'string' }),
  run: async ({ input }) => {
    appendFileSync(process.env.EFFECTS!, 'start\\n');
    while (!existsSync(process.env.EFFECTS + '.gate')) await pause(20);
    appendFileSync(process.env.EFFECTS!, 'end\\n');
    return { loaf: 'a loaf of ' + input.kind };
  },
});

export default skill({
  name: 'bakery', version: '1.2.0', description: 'Bakes a loaf of bread when it is asked for one.', entry: 'choose',
  params: type({ name: 'string' }),
})
  .step('choose', {
    prompt: ({ params }) => 'Choose a flour for ' + params.name + '.',
    response: type({ kind: 'string' }),
    next: 'sure',
  })
  .step('sure', {
    prompt: ({ store }) => [act.confirm({ message: 'Bake ' + store.steps.choose.kind + '?', destructive: true })],
    response: type({ approved: 'boolean' }),
    next: 'gate',
  })
  .step('gate', { next: ({ store }) => (store.steps.sure!.approved ? 'bake' : 'tell') })
  .step('bake', {
    action: { run: bake, mapInput: ({ store }) => ({ kind: store.steps.choose!.kind }) },
    next: 'tell',
  })
  .step('tell', {
    prompt: ({ store }) => 'Tell of ' + (store.steps.bake?.loaf ?? 'nothing') + '.',
    response: type({ text: 'string' }),
    next: terminal,
  })
  .build();
`;
const ANSWERS = `
steps:
  choose:
    - {when: 'That answer cannot be taken', text: '{"kind": "rye"}'}
    - {when: 'flour for Ida', text: '{"kind": 7}'}
  tell:
    - {when: 'a loaf of rye', text: '{"text": "It is baked."}'}
    - {when: 'nothing', text: '{"text": "It is not."}'}
`;

const redis: RedisServer | undefined = await startRedis({ owned: true, appendOnly: true });
afterAll(() => redis?.stop());

describe('a skill of the kit', { timeout: 120_000 }, () => {
  let place: Workplace;
  let effects: string;
  let prefix: string;
  let env: Readonly<Record<string, string>>;
  const processes: NodeProcess[] = [];

  beforeEach(async () => {
    place = await openWorkplace();
    effects = join(place.folder, 'effects');
    prefix = `kit-${randomUUID().slice(0, 8)}`;
    env = { EFFECTS: effects, REDIS_URL: redis?.url ?? '' };
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml', structured_output: true } },
      skills: ['skills'],
      code: { env_from: ['EFFECTS'] },
      redis: { prefix },
      http: { port: 0 },
    };
    await place.write({ 'skillyard.yaml': JSON.stringify(config), 'answers.yaml': ANSWERS });
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await place.remove();
  });

  const run = (...args: string[]): Promise<CliRun> => place.run(args, env);
  const build = async (effect: 'once' | 'idempotent'): Promise<void> => {
    await place.write({ 'bakery.ts': bakery(effect) });
    const built = await run('kit', 'build', 'bakery.ts', '-o', 'skills/bakery', '--mode', 'node');
    expect(built).toMatchObject({ code: 0 });
  };
  const letGoOn = (): Promise<void> => writeFile(`${effects}.gate`, '');
  const done = async (): Promise<string[]> =>
    (await readFile(effects, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const begin = async (args: readonly string[]): Promise<NodeProcess> => {
    const started = place.start([...args, '--json'], env);
    processes.push(started);
    await started.wrote('"event":"ready"');
    return started;
  };
  const startWorker = (): Promise<NodeProcess> => begin(['worker', '--class', 'model', '--class', 'action']);
  const startAll = async (): Promise<NodeProcess> => {
    const [, worker] = await Promise.all([begin(['orchestrator']), startWorker()]);
    return worker;
  };
  const submit = async (): Promise<string> =>
    (await run('submit', 'skills/bakery/skill.yaml', '--var', 'name=Ida')).stdout.trim();
  const asked = (turnId: string): Promise<void> =>
    lookUntil(
      { url: env['REDIS_URL'] ?? '', prefix },
      async (system) =>
        (await system.questionsOf(asTurnId(turnId))).questions.some(({ questions }) =>
          questions.some(({ text }) => text === 'Bake rye?'),
        ),
      'its question',
    );
  const acting = (): Promise<true> => until(async () => (await done()).length > 0, 30_000, 'its action');

  describe.skipIf(redis === undefined)('over queues', () => {
    it('runs through its steps, its question, its gate and its action, whatever dies while it waits', async () => {
      await build('once');
      await startAll();
      const turnId = await submit();
      await asked(turnId);
      await Promise.all(processes.splice(0).map((one) => killHard(one)));
      await redis!.restart();
      await letGoOn();
      await startAll();
      expect(await run('answer', turnId, 'yes')).toMatchObject({ code: 0 });
      const watched = await run('watch', turnId);
      expect(watched).toMatchObject({ code: 0, stdout: '{"text":"It is baked."}\n' });
      expect(watched.stderr).toMatch(/choose[\s\S]*sure[\s\S]*gate[\s\S]*bake[\s\S]*tell/);
      expect(await done()).toEqual(['start', 'end']);
    });

    it('takes the other way when a person says no', async () => {
      await build('once');
      await startAll();
      const turnId = await submit();
      await asked(turnId);
      await run('answer', turnId, 'no');
      expect(await run('watch', turnId)).toMatchObject({ code: 0, stdout: '{"text":"It is not."}\n' });
      expect(await done()).toEqual([]);
    });

    it('loses an action that must not run twice with the worker that ran it', async () => {
      await build('once');
      const worker = await startAll();
      const turnId = await submit();
      await asked(turnId);
      await run('answer', turnId, 'yes');
      await acting();
      await startWorker();
      await killHard(worker);
      await letGoOn();
      const watched = await run('watch', turnId);
      expect(watched.code).toBe(1);
      expect(watched.stderr).toContain('STEP_LOST');
      expect((await done()).filter((line) => line === 'start')).toHaveLength(1);
    });

    it('runs an action again that may be repeated when its worker dies', async () => {
      await build('idempotent');
      const worker = await startAll();
      const turnId = await submit();
      await asked(turnId);
      await run('answer', turnId, 'yes');
      await acting();
      await startWorker();
      await killHard(worker);
      await letGoOn();
      expect(await run('watch', turnId)).toMatchObject({ code: 0, stdout: '{"text":"It is baked."}\n' });
      expect((await done()).filter((line) => line === 'start')).toHaveLength(2);
    });
  });

  describe('in one process', () => {
    beforeEach(async () => {
      await letGoOn();
      await place.write({ 'given.json': '{"sure": true}' });
    });

    it('runs from its built folder', async () => {
      await build('once');
      const ran = await run('run', 'skills/bakery', '--var', 'name=Ida', '--answers', 'given.json');
      expect(ran).toMatchObject({ code: 0, stdout: '{"text":"It is baked."}\n' });
      expect(await done()).toEqual(['start', 'end']);
    });

    it('runs from its source, which is built for the run', async () => {
      await place.write({ 'bakery.ts': bakery('once') });
      const ran = await run('run', 'bakery.ts', '--var', 'name=Ida', '--answers', 'given.json');
      expect(ran).toMatchObject({ code: 0, stdout: '{"text":"It is baked."}\n' });
    });

    it('is refused with what is wrong with its source', async () => {
      await place.write({ 'broken.ts': 'export default 5;' });
      const ran = await run('run', 'broken.ts');
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain('error SKILL_INVALID');
    });

    it('says which param is wrong', async () => {
      await build('once');
      const ran = await run('run', 'skills/bakery', '--answers', 'given.json');
      expect(ran.code).not.toBe(0);
      expect(ran.stderr).toMatch(/INPUT_INVALID[\s\S]*name/);
    });
  });
});
