import { randomUUID } from 'node:crypto';
import type { JobId } from '@skillyard/contracts';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type FailedJob, FailedJobs, type QueueConnection } from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('failed jobs', () => {
  let connection: QueueConnection;
  let failed: FailedJobs;
  beforeEach(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    failed = new FailedJobs(connection);
  });
  afterEach(async () => connection.close());
  afterAll(async () => redis?.stop());

  const failure = (id: number, queue = 'tool.mill', atMs = id): FailedJob => ({
    jobId: `turn-${id}.0.c` as JobId,
    path: '0',
    step: 'grind',
    kind: 'call',
    target: 'mill:grind',
    queue,
    status: 'error',
    code: 'TOOL_FAILED',
    message: 'the stone is worn',
    atMs,
    worker: null,
    attempts: null,
  });
  const times = (jobs: readonly FailedJob[]): number[] => jobs.map(({ atMs }) => atMs);

  it('are listed newest first, page by page, whatever is added or taken away in between', async () => {
    await failed.record([1, 2, 3, 4, 5].map((id) => failure(id)));
    const first = await failed.list('tool.mill', null, 2);
    expect(times(first.jobs)).toEqual([5, 4]);
    await failed.record([failure(6)]);
    await failed.remove(failure(4).jobId);
    const second = await failed.list('tool.mill', first.next, 2);
    expect(times(second.jobs)).toEqual([3, 2]);
    const third = await failed.list('tool.mill', second.next, 2);
    expect(times(third.jobs)).toEqual([1]);
    expect(third.next).toBeNull();
  });

  it('are there once each, with their last failure, over all queues', async () => {
    await failed.record([failure(1), failure(2, 'model'), failure(3)]);
    await failed.record([failure(1, 'tool.mill', 9)]);
    expect(times(await failed.listAll())).toEqual([9, 3, 2]);
    expect(await failed.queues()).toEqual(['model', 'tool.mill']);
    expect(await failed.get(failure(2).jobId)).toEqual(failure(2, 'model'));
    expect(await failed.get('turn-7.0.c' as JobId)).toBeNull();
  });

  it('are forgotten beyond the latest 10,000 of a queue', async () => {
    await failed.record(Array.from({ length: 10_050 }, (_, id) => failure(id)));
    const { times: ids, jobs } = connection.keys.failed('tool.mill');
    expect(await connection.redis.zcard(ids)).toBe(10_000);
    expect(await connection.redis.hlen(jobs)).toBe(10_000);
    expect(await failed.get(failure(0).jobId)).toBeNull();
    expect(await connection.redis.ttl(jobs)).toBeGreaterThan(0);
  });
});
