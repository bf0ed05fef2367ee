import { randomUUID } from 'node:crypto';
import { type NodeProcess, type RedisServer, startRedis, toolServerCommand, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliRun, openWorkplace, skill, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

// Each command is a process of its own: on a busy machine that adds up.
describe.skipIf(redis === undefined)('commands over the HTTP API', { timeout: 120_000 }, () => {
  const inside = { REDIS_URL: redis?.url ?? '' };
  let place: Workplace;
  /** A machine that has no Redis and no configuration, but a key. */
  let outside: Workplace;
  let processes: NodeProcess[] = [];
  let url = '';
  let key = '';

  beforeAll(async () => {
    place = await openWorkplace();
    outside = await openWorkplace();
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml' } },
      servers: { depot: { ...toolServerCommand(), class: 'kitchen' } },
      redis: { prefix: `cli-${randomUUID().slice(0, 8)}` },
      http: { port: 0, auth: 'required' },
    };
    await place.write({
      'skillyard.yaml': JSON.stringify(config),
      'answers.yaml': 'steps:\n  greet: [{echo: true}]\n',
    });
    await outside.write({
      'greet.yaml': skill([{ name: 'greet', instruction: 'Welcome {{input}}.', save_as: 'answer' }]),
      'fail.yaml': skill([{ name: 'mute', instruction: 'Say nothing.', save_as: 'answer' }]),
      'wait.yaml': skill([{ name: 'fetch', call: { tool: 'depot:echo', args: { text: 'x' } } }], {
        tools: ['depot'],
      }),
    });
    const orchestrator = place.start(['orchestrator', '--json'], inside);
    processes = [orchestrator, place.start(['worker', '--class', 'model', '--json'], inside)];
    await Promise.all(processes.map((one) => one.wrote('"event":"ready"')));
    url = /"http":"([^"]+)"/.exec(orchestrator.stdout())?.[1] ?? '';
    const scopes = ['--scope', 'submit', '--scope', 'read'];
    key = (
      await place.run(['keys', 'create', '--name', 'test', '--tenant', 'acme', ...scopes], inside)
    ).stdout.trim();
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await Promise.all([place.remove(), outside.remove()]);
  });

  const run = (...args: string[]): Promise<CliRun> =>
    outside.run(args, { SKILLYARD_API_URL: url, SKILLYARD_API_KEY: key });

  it('submit --watch prints the answer and the steps as over Redis, with the same exit codes', async () => {
    const greeted = await run('submit', 'greet.yaml', '--input', 'Ada', '--watch');
    expect(greeted).toMatchObject({ code: 0, stdout: 'Welcome Ada.\n' });
    expect(greeted.stderr).toMatch(/greet +instruction +ok/);
    const failed = await run('submit', 'fail.yaml', '--watch');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('error MODEL_REFUSED');
    expect(failed.stderr).toContain('at fail.yaml:');
  });

  it('submit prints an id, which watch follows; the address may be an option', async () => {
    const env = { SKILLYARD_API_KEY: key };
    const id = (
      await outside.run(['submit', 'greet.yaml', '--input', 'Bo', '--api', url], env)
    ).stdout.trim();
    const watched = await outside.run(['watch', id, '--api', `${url}/`, '--json'], env);
    expect(JSON.parse(watched.stdout)).toMatchObject({
      turnId: id,
      status: 'completed',
      answer: 'Welcome Bo.',
    });
    const again = await place.run(['watch', id, '--json'], inside);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(watched.stdout));
  });

  it('why and cancel say what they say over Redis', async () => {
    const id = (await run('submit', 'wait.yaml')).stdout.trim();
    const why = await until(async () => {
      const said = await run('why', id);
      return said.stdout.includes('is connected') ? said : undefined;
    }, 20_000);
    expect(why.stdout).toContain('step "fetch" (call depot:echo): no worker of class kitchen is connected');
    const [far, near] = [await run('why', id, '--json'), await place.run(['why', id, '--json'], inside)];
    expect(JSON.parse(far.stdout)).toEqual(JSON.parse(near.stdout));
    expect((await run('cancel', id, '--reason', 'enough')).stderr).toContain('is being cancelled');
    const watched = await run('watch', id);
    expect(watched.stderr).toContain('cancelled: enough');
    expect(watched.code).toBe(130);
  });

  it('says what is wrong with a key, an address and a turn', async () => {
    const wrong = await outside.run(['why', 'nobody', '--api', url], { SKILLYARD_API_KEY: 'sky_wrong' });
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error UNAUTHENTICATED') as string,
    });
    expect(await run('cancel', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error TURN_NOT_FOUND') as string,
    });
    const keyless = await outside.run(['why', 'nobody', '--api', url], {});
    expect(keyless.stderr).toContain(
      `error UNAUTHENTICATED: ${url} asks for a key; put one into SKILLYARD_API_KEY`,
    );
    const secret = await run('why', 'nobody', '--api', 'https://me:hidden@host');
    expect(secret.code).toBe(2);
    expect(secret.stderr).toContain('SKILLYARD_API_KEY');
    expect(secret.stderr).not.toContain('hidden');
    const both = await run('why', 'nobody', '--api', url, '--redis', 'redis://127.0.0.1:1');
    expect(both.stderr).toContain('--api and --redis are two ways to a system');
  });
});
