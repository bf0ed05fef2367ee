import {
  killHard,
  type ModelServer,
  type RedisServer,
  startModelServer,
  startRedis,
  until,
} from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';

const redis: RedisServer | undefined = await startRedis();
/** What is promised: work goes on so soon after a worker is gone. */
const RESUMED_MS = 15_000;

describe.skipIf(redis === undefined)('a worker process', () => {
  let model: ModelServer;
  let workers: WorkerProcesses;
  beforeEach(async () => {
    model = await startModelServer();
    const main = { provider: 'openai-compatible', base_url: model.url, model: 'test' } as const;
    workers = await openWorkerProcesses(redis!.url, { default_model: 'main', models: { main } });
  });
  afterEach(async () => {
    await workers.close();
    await model.close();
  });
  afterAll(async () => redis?.stop());

  it('killed in a generation, a read call and a `once` call: two are run again, the third is lost', async () => {
    model.answer({ failure: 'never' });
    const victim = await workers.launch(['model', 'mill']);
    const [generation, read, once] = await Promise.all([
      workers.generate(),
      workers.call('read'),
      workers.call('once'),
    ]);
    await Promise.all([workers.started(read), workers.started(once)]);
    await until(() => model.requests.length === 1, 10_000, 'the generation is under way');
    await workers.launch(['model', 'mill']);
    model.answer({ text: 'A loaf.' });
    await workers.open();
    await killHard(victim);

    const results = await Promise.all([generation, read, once].map((id) => workers.results(id, RESUMED_MS)));
    expect(results).toMatchObject([
      [{ status: 'ok', text: 'A loaf.' }],
      [{ status: 'ok', text: 'done' }],
      [{ status: 'lost', error: { code: 'STEP_LOST' } }],
    ]);
    expect(model.requests).toHaveLength(2);
    expect((await workers.lines(read)).filter((line) => line === 'start')).toHaveLength(2);
    expect((await workers.lines(once)).filter((line) => line === 'start')).toHaveLength(1);
    expect(await workers.noticed(generation)).toEqual(['taken-over']);
    expect(await workers.noticed(read)).toEqual(['taken-over']);
    expect(await workers.noticed(once)).toEqual(['lost']);
  }, 60_000);

  it('stopped for longer than its lock: its effect happens once, and what it brings late is dropped', async () => {
    const stopped = await workers.launch(['mill']);
    const [read, once] = await Promise.all([workers.call('read'), workers.call('once')]);
    await Promise.all([workers.started(read), workers.started(once)]);
    await workers.launch(['mill']);
    stopped.child.kill('SIGSTOP');
    await workers.open();

    expect(await workers.results(read, RESUMED_MS)).toMatchObject([{ status: 'ok' }]);
    expect(await workers.results(once, RESUMED_MS)).toMatchObject([{ status: 'lost' }]);
    stopped.child.kill('SIGCONT');
    for (const jobId of [read, once]) {
      await until(async () => (await workers.noticed(jobId)).includes('late'), 10_000, 'it comes late');
    }
    expect(await workers.results(read)).toHaveLength(1);
    expect(await workers.results(once)).toHaveLength(1);
    // Its tool server was not stopped and did what it was told, once.
    expect(await workers.lines(once)).toEqual(['start', 'end']);
    expect(await workers.noticed(read)).toEqual(['taken-over', 'late']);
    expect(await workers.noticed(once)).toEqual(['lost', 'late']);
    // It was out of touch, not out of order: it takes work again.
    expect(await workers.results(await workers.call('once'))).toMatchObject([{ status: 'ok' }]);
  }, 60_000);
});
