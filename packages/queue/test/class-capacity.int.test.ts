import { randomUUID } from 'node:crypto';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClassCapacity, connect, HeldJobs, type QueueConnection, startStepWorker } from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();
const QUEUE = 'tool.mill';
afterAll(async () => redis?.stop());

describe.skipIf(redis === undefined)('the capacity of a class', () => {
  let connection: QueueConnection;
  let capacity: ClassCapacity;
  beforeEach(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    capacity = new ClassCapacity(connection);
  });
  afterEach(() => connection.close());

  const work = (concurrency: number, globalConcurrency?: number) =>
    startStepWorker({
      connection,
      workerClass: 'mill',
      concurrency,
      ...(globalConcurrency !== undefined && { limits: { globalConcurrency } }),
      lockMs: 600,
      execute: (job) => Promise.resolve({ jobId: job.id, status: 'ok', text: '' }),
    });

  it('is what its workers run together, at most what the class may', async () => {
    expect(await capacity.read(QUEUE)).toBeNull();
    const first = await work(4);
    const second = await work(6);
    expect(await capacity.read(QUEUE)).toBe(10);
    const third = await work(1, 7);
    expect(await capacity.read(QUEUE)).toBe(7);
    await third.close();
    await second.close();
    expect(await capacity.read(QUEUE)).toBe(4);
    await first.close();
    expect(await capacity.read(QUEUE)).toBeNull();
  });

  it('is said again and again by a worker that lives', async () => {
    const worker = await work(4);
    const { redis: commands, keys } = connection;
    await commands.del(keys.capacity(QUEUE));
    await until(async () => (await capacity.read(QUEUE)) === 4, 3000, 'the worker says it again');
    await worker.close();
  });

  it('forgets a worker that has said nothing for 15 s, by the clock of Redis', async () => {
    const { redis: commands, keys } = connection;
    await capacity.write(QUEUE, 'alive', 3);
    const [seconds] = await commands.time();
    await commands.hset(keys.capacity(QUEUE), 'dead', `${(Number(seconds) - 15) * 1000} 5`);
    expect(await capacity.read(QUEUE)).toBe(3);
    expect(await commands.hkeys(keys.capacity(QUEUE))).toEqual(['alive']);
    expect(await commands.pttl(keys.capacity(QUEUE))).toBeGreaterThan(10_000);
  });
});

describe.skipIf(redis === undefined)('held jobs', () => {
  it('are added up over orchestrators, by tenant', async () => {
    const connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    try {
      const held = new HeldJobs(connection);
      await held.write(QUEUE, 'one', new Map([['a b "c"', { held: 3, inFlight: 1 }]]));
      await held.write(
        QUEUE,
        'two',
        new Map([
          ['a b "c"', { held: 4, inFlight: 0 }],
          ['acme', { held: 0, inFlight: 2 }],
        ]),
      );
      expect(await held.read(QUEUE)).toEqual({
        held: 7,
        tenants: new Map([
          ['a b "c"', { held: 7, inFlight: 1 }],
          ['acme', { held: 0, inFlight: 2 }],
        ]),
      });
    } finally {
      await connection.close();
    }
  });
});
