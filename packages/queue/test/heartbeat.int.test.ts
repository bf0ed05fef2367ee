import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../src/index.ts';
import { startHeartbeat } from '../src/worker/heartbeat.ts';

const redis: RedisServer | undefined = await startRedis({ owned: true });
afterAll(async () => redis?.stop());

describe.skipIf(redis === undefined)('a heartbeat', () => {
  it('says why it does not get through when Redis refuses it for good', async () => {
    const admin = await connect({ url: redis?.url ?? '' });
    await admin.redis.call('ACL', 'SETUSER', 'weak', 'on', '>secret', '~*', '&*', '+@all', '-set');
    const connection = await connect({ url: (redis?.url ?? '').replace('redis://', 'redis://weak:secret@') });
    const failures: string[] = [];
    void startHeartbeat({ connection, ttlMs: 600, onError: (error) => failures.push(error.message) });
    await until(() => failures.length > 0, 15_000, 'a failure of the heartbeat');
    expect(failures[0]).toContain('NOPERM');
    await Promise.all([connection.close(), admin.close()]);
  });
});
