import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const root = new URL('../../../', import.meta.url);

describe.skipIf(redis === undefined)('docs/api.md', () => {
  let rig: HttpRig;
  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, () => ({ text: 'Yes.' }), {
      skills: [new URL('examples', root).pathname],
    });
  });
  afterAll(async () => {
    await rig.stop();
    await redis?.stop();
  });

  it('has examples that work, one after the other', async () => {
    const text = await readFile(new URL('docs/api.md', root), 'utf8');
    const examples = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');
    expect(examples.length).toBeGreaterThan(8);
    const env = { ...process.env, SKILLYARD_URL: rig.url, SKILLYARD_KEY: await rig.key('docs') };
    const script = ['set -eo pipefail', ...examples].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, cwd: root });
    expect(stdout).toContain('"tenant":"docs"');
    expect(stdout).toContain('"type":"turn.finished"');
  });
});
