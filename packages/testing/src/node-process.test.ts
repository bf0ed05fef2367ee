import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killHard, spawnNode } from './node-process.ts';

let folder: string;
const script = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-process-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('spawnNode', () => {
  it('runs a script with arguments and variables, and stops it politely', async () => {
    const path = await script(
      'polite.mjs',
      `
      process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
      console.log(process.argv[2], process.env.GRAIN);
      setInterval(() => {}, 1000);
    `,
    );
    const started = spawnNode(path, ['hello'], { env: { GRAIN: 'rye' } });
    await started.wrote('hello rye');
    expect(await started.stop()).toEqual({ code: 0, signal: null });
    expect(started.stdout()).toContain('bye');
  });

  it('kills one that does not end', async () => {
    const path = await script(
      'stubborn.mjs',
      `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);`,
    );
    const started = spawnNode(path);
    await started.wrote('up');
    expect(await started.stop(100)).toMatchObject({ signal: 'SIGKILL' });
  });

  it('kills as a power cut would', async () => {
    const path = await script(
      'tidy.mjs',
      `process.on('exit', () => console.log('tidied')); console.log('up'); setInterval(() => {}, 1000);`,
    );
    const started = spawnNode(path);
    await started.wrote('up');
    expect(await killHard(started)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(started.stdout()).not.toContain('tidied');
  });

  it('fails at once when the process ends without writing what is waited for', async () => {
    const started = spawnNode(await script('short.mjs', `console.error('no such table'); process.exit(4);`));
    await expect(started.wrote('ready')).rejects.toThrow(
      /"code":4.*without writing "ready":\nno such table/s,
    );
  });
});
