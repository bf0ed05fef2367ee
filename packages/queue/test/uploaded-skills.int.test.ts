import { randomUUID } from 'node:crypto';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type QueueConnection, UploadedSkills } from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('uploaded skills', () => {
  let connection: QueueConnection;
  let skills: UploadedSkills;
  beforeAll(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    skills = new UploadedSkills(connection);
  });
  afterAll(async () => {
    await connection.close();
    await redis?.stop();
  });

  const upload = (tenant: string, name: string, hash: string, text: string, version = ''): Promise<void> => {
    const skill = {
      name,
      title: name,
      description: '',
      version,
      hash,
      atMs: 1_764_550_000_123,
      by: 'me',
    };
    return skills.upload(tenant, skill, text);
  };

  it('keep the texts of their last 100 versions, and count their bytes', async () => {
    for (let index = 0; index < 103; index++) await upload('many', 'one', `h${index}`, 'x'.repeat(index));
    const versions = await skills.versions('many', 'one');
    expect(versions).toHaveLength(100);
    expect(versions[0]).toEqual({ hash: 'h102', version: '', atMs: 1_764_550_000_123, by: 'me' });
    expect(await skills.text('many', 'h2')).toBeNull();
    expect(await skills.text('many', 'h3')).toBe('xxx');
    const bytes = await connection.redis.hget(connection.keys.tenantSkills('many').texts, '#bytes');
    expect(Number(bytes)).toBe((102 * 103) / 2 - 3);

    await upload('many', 'one', 'h50', 'x'.repeat(50));
    const again = await skills.versions('many', 'one');
    expect(again.map(({ hash }) => hash).slice(0, 3)).toEqual(['h50', 'h102', 'h101']);
    expect(again).toHaveLength(100);
  });

  it('are deleted with all their versions, and the others stay', async () => {
    // Half a character, which JSON can write and the server cannot read.
    await upload('some', 'one', 'h1', 'x', '\ud800');
    await upload('some', 'one', 'h2', 'xx');
    await upload('some', 'two', 'h3', 'xxx');
    expect(await skills.delete('some', 'one')).toBe(true);
    expect(await skills.delete('some', 'one')).toBe(false);
    expect(await skills.delete('other', 'two')).toBe(false);
    expect(await skills.current('some', 'one')).toBeNull();
    expect(await skills.versions('some', 'one')).toEqual([]);
    const { texts } = connection.keys.tenantSkills('some');
    expect(await connection.redis.hgetall(texts)).toEqual({ h3: 'xxx', '#bytes': '3' });
  });

  it('are at most 1,000 of a tenant, whose others may still be changed', async () => {
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => upload('full', `s${index}`, `h${index}`, 't')),
    );
    await expect(upload('full', 'one-more', 'h', 't')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await upload('full', 's7', 'other', 'changed');
    expect(await skills.current('full', 's7')).toMatchObject({ hash: 'other' });
    expect(await skills.list('full')).toHaveLength(1000);
    expect(await skills.list('nobody')).toEqual([]);
  });
});
