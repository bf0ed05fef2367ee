import type { TurnId } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('the sweep of an owner', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await startCluster(redis!.url, () => ({ text: 'done' }));
  });
  afterEach(async () => cluster.close());
  afterAll(async () => redis?.stop());

  it('asks again for a job whose ticket is gone (W2)', async () => {
    const { keys, redis: commands } = cluster.connection;
    await cluster.orchestrator({ sweepEveryMs: 100 });
    const turnId = await cluster.submit(skillOf('- {name: one, instruction: One.}'));
    const queue = `${keys.queuePrefix('model')}:model`;
    await until(() => commands.llen(`${queue}:wait`), 5000, 'the job has a ticket');
    const [id = ''] = await commands.lrange(`${queue}:wait`, 0, 0);
    await commands.del(`${queue}:wait`, `${queue}:${id}`);
    await until(() => commands.llen(`${queue}:wait`), 5000, 'the job has a ticket again');
    await cluster.worker();
    expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
    expect(cluster.executed).toHaveLength(1);
  });

  it('removes turns from the live set that have ended, and those that never came', async () => {
    const { keys, redis: commands } = cluster.connection;
    await cluster.orchestrator({ sweepEveryMs: 100 });
    await cluster.worker();
    const turnId = await cluster.submit(skillOf('- {name: one, instruction: One.}'));
    await cluster.outcome(turnId);
    const setOf = (id: string): string => keys.shard(keys.shardOf(id as TurnId)).live;
    const isLive = async (id: string): Promise<boolean> => (await commands.zscore(setOf(id), id)) !== null;
    await until(async () => !(await isLive(turnId)), 5000, 'the turn has left the live set');
    await commands.zadd(setOf(turnId), Date.now(), turnId);
    await commands.zadd(setOf('never-came'), Date.now() - 120_000, 'never-came');
    await commands.zadd(setOf('may-come'), Date.now(), 'may-come');
    await until(
      async () => !(await isLive(turnId)) && !(await isLive('never-came')),
      5000,
      'the sweep has removed two',
    );
    expect(await isLive('may-come')).toBe(true);
  });

  it('comes back to a turn that could not be started, and nothing else waits for it', async () => {
    await cluster.worker();
    const turnId = await cluster.submit(skillOf('- {name: one, instruction: One.}'));
    let failures = 0;
    await cluster.orchestrator({
      sweepEveryMs: 200,
      onTransition: (transition) => {
        if (transition === 'start.before' && failures++ < 2) throw new Error('not now');
      },
    });
    const other = await cluster.submit(skillOf('- {name: one, instruction: One.}'));
    expect(await cluster.outcome(other)).toMatchObject({ status: 'completed' });
    expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
    expect(failures).toBeGreaterThan(2);
  });
});
