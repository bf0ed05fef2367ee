import { randomUUID } from 'node:crypto';
import { type NodeProcess, type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

describe.skipIf(redis === undefined)('worker and orchestrator, a process each', () => {
  const env = { REDIS_URL: redis?.url ?? '' };
  let place: Workplace;
  const processes: NodeProcess[] = [];

  beforeAll(async () => {
    place = await openWorkplace();
    await place.write({
      'skillyard.yaml': JSON.stringify({
        models: { m: { provider: 'scripted', script: 'answers.yaml' } },
        classes: { model: { rate_limit: { requests: 100, per: '1s' }, priority: { m: 1 } } },
        retries: { attempts: 2, delay: '10ms' },
        redis: { prefix: `cli-${randomUUID().slice(0, 8)}` },
      }),
      'answers.yaml': 'steps:\n  greet: [{echo: true}]\n',
      'skill.yaml': skill([{ name: 'greet', instruction: 'Welcome {{input}}.' }]),
    });
    processes.push(
      place.start(['orchestrator'], env),
      place.start(['worker', '--class', 'model', '--concurrency', '3'], env),
    );
    await processes[0]!.wrote('ready: orchestrator\n');
    await processes[1]!.wrote('ready: worker model\n');
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await place.remove();
  });

  it('run a turn together, and end with 0 on SIGTERM', async () => {
    const run = await place.run(['submit', 'skill.yaml', '--input', 'Ada', '--watch'], env);
    expect(run).toMatchObject({ code: 0, stdout: 'Welcome Ada.\n' });
    for (const one of processes) {
      expect(await one.stop()).toEqual({ code: 0, signal: null });
      expect(one.stdout()).toContain('SIGTERM: stopping');
    }
  });

  it('listen where their command line says', async () => {
    const orchestrator = place.start(['orchestrator', '--port', '0', '--host', 'localhost'], env);
    const worker = place.start(['worker', '--class', 'builtin', '--metrics-port', '0'], env);
    try {
      await orchestrator.wrote('ready: orchestrator http://');
      const [url = ''] = /http:\S+/.exec(orchestrator.stdout()) ?? [];
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await worker.wrote('ready: ');
      const [, port = ''] = /"port":(\d+)/.exec(worker.stderr()) ?? [];
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    } finally {
      await Promise.all([orchestrator.stop(), worker.stop()]);
    }
    const wrong = await place.run(['orchestrator', '--port', 'web'], env);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--port "web" is no port')]);
  });

  it('a worker of no class, of an unknown one, or with no number of jobs is refused', async () => {
    for (const [args, said] of [
      [[], 'one of model, builtin'],
      [['--class', 'modle'], 'did you mean `model`'],
      [['--class', 'model', '--concurrency', 'many'], '--concurrency "many"'],
    ] as const) {
      const run = await place.run(['worker', ...args], env);
      expect(run.stderr).toContain(said);
      expect(run.code).toBe(2);
    }
  });
});
