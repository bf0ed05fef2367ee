import { randomUUID } from 'node:crypto';
import type { JobId, TurnId } from '@skillyard/contracts';
import { connect, ResultsConsumer } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { Windows } from '../src/fairness/windows.ts';
import { OwnedShards } from '../src/owned-shards.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(async () => redis?.stop());

describe.skipIf(redis === undefined)('a shard', () => {
  it('keeps the jobs that are held for it when it is gained again before it is put down', async () => {
    const connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    const windows = new Windows(1, () => ({}));
    const gained: number[] = [];
    let putDown = 0;
    let pass: () => void = () => {};
    const passing = new Promise<void>((resolve) => (pass = resolve));
    const users = {
      consumer: new ResultsConsumer({ connection, shards: [] }),
      sweeper: { add: (shard: number) => void gained.push(shard), remove: () => {} },
      orchestrator: { passed: () => passing },
      cache: { dropIf: () => void putDown++ },
      windows,
    };
    const leases = { leaseMs: 600, renewMs: 50 };
    const options = { log: pino({ level: 'silent' }), leases };
    const owned = new OwnedShards(connection, options, () => users);
    try {
      await owned.leases.start();
      const turnId = 'turn' as TurnId;
      const { keys, redis: commands } = connection;
      const shard = keys.shardOf(turnId);
      const request = { queue: 'model', name: 'generate', effect: 'read', tenant: 'a', priority: 5 } as const;
      const requests = ['turn.0', 'turn.1'].map((id) => ({ ...request, id: id as JobId }));
      windows.ask(requests);
      await commands.del(keys.shard(shard).lease);
      await until(() => gained.filter((one) => one === shard).length === 2, 5000, 'the shard, once more');
      expect(windows.tenantsAt('model').size).toBe(0);
      // As the sweep does.
      windows.ask(requests);
      pass();
      await until(() => putDown > 0, 5000, 'what was in hand to pass');
      expect(windows.tenantsAt('model').get('a')).toEqual({ held: 1, inFlight: 1 });
    } finally {
      pass();
      await owned.leases.close();
      await connection.close();
    }
  });
});
