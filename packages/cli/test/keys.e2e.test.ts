import { randomUUID } from 'node:crypto';
import { ApiKeys, AuditLog, connect } from '@skillyard/queue';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

describe.skipIf(redis === undefined)('skillyard keys', { timeout: 120_000 }, () => {
  const prefix = `cli-${randomUUID().slice(0, 8)}`;
  const env = { REDIS_URL: redis?.url ?? '', USER: 'anna' };
  let place: Workplace;
  beforeAll(async () => {
    place = await openWorkplace();
    await place.write({ 'skillyard.yaml': JSON.stringify({ redis: { prefix } }) });
  });
  afterAll(() => place.remove());

  it('makes a key whose secret is printed this once, lists it without, and revokes it', async () => {
    const wanted = '--name nightly --tenant acme --scope submit --scope read --role baker --expires 90d';
    const made = await place.run(['keys', 'create', ...wanted.split(' ')], env);
    expect(made.code).toBe(0);
    const secret = made.stdout.trim();
    expect(secret).toMatch(/^sky_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(made.stderr).toMatch(/made key [0-9a-f]{16} for tenant acme: submit, read, as baker, until 20/);
    expect(made.stderr).not.toContain(secret.slice(21));

    const connection = await connect({ url: env.REDIS_URL, prefix });
    try {
      const keys = new ApiKeys(connection);
      const [keyId = ''] = (await keys.list('acme')).map((key) => key.keyId);
      expect(await keys.verify(secret)).toEqual({
        tenant: 'acme',
        subject: `key:${keyId}`,
        scopes: ['submit', 'read'],
        roles: ['baker'],
      });
      const listed = await place.run(['keys', 'list', '--json'], env);
      expect(JSON.parse(listed.stdout)).toMatchObject({ keys: [{ keyId, createdBy: 'cli:anna' }] });
      expect(listed.stdout).not.toContain(secret.slice(21));
      expect((await place.run(['keys', 'revoke', keyId], env)).code).toBe(0);
      expect(await keys.verify(secret)).toBeNull();
      const audit = await new AuditLog(connection).list({ tenant: '*' });
      expect(audit.entries.map(({ operation, subject, target }) => [operation, subject, target])).toEqual([
        ['revokeKey', 'cli:anna', keyId],
        ['createKey', 'cli:anna', keyId],
      ]);
      const again = await place.run(['keys', 'revoke', keyId], env);
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('error KEY_NOT_FOUND')]);
    } finally {
      await connection.close();
    }
  });

  it.each([
    [['--scope', 'reed'], 'write one of: submit, read, answer, operate, admin'],
    [['--scope', 'read', '--tenant', 'Acme!'], '--tenant "Acme!" is no name of a tenant'],
    [['--scope', 'read', '--expires', 'soon'], '--expires "soon" is no duration'],
  ])('refuses %j with INPUT_INVALID', async (args, message) => {
    const run = await place.run(['keys', 'create', '--name', 'x', ...args], env);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain(message);
  });
});
