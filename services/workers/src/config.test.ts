import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProcessConfig } from './config.ts';

describe('the command line of a worker', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'skillyard-worker-'));
    const servers = 'servers:\n  oven: {url: "http://oven", class: kitchen}\n';
    await writeFile(join(cwd, 'skillyard.yaml'), `${servers}redis: {url: "redis://from-file"}\n`);
  });
  afterAll(async () => rm(cwd, { recursive: true, force: true }));

  it('names classes, several at once, and the Redis that is meant', async () => {
    const args = ['--class', 'model', '--class', 'kitchen', '--redis', 'redis://asked'];
    const config = await readProcessConfig(args, { LOG_LEVEL: 'debug' }, cwd);
    expect(config).toMatchObject({
      classes: ['model', 'kitchen'],
      redisUrl: 'redis://asked',
      logLevel: 'debug',
    });
    expect((await readProcessConfig(['--class', 'builtin'], {}, cwd)).redisUrl).toBe('redis://from-file');
    const many = ['--class', 'builtin', '--concurrency', '40'];
    expect((await readProcessConfig(many, {}, cwd)).concurrency).toBe(40);
  });

  it('is refused without a class, with one that is not there, and with a flag nobody knows', async () => {
    await expect(readProcessConfig([], {}, cwd)).rejects.toThrow(
      'one of model, builtin, action, command, kitchen',
    );
    await expect(readProcessConfig(['--class', 'kitchn'], {}, cwd)).rejects.toThrow('kitchen');
    const failure = readProcessConfig(['--clas', 'model'], {}, cwd);
    await expect(failure).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(failure).rejects.toThrow('--class <class>');
    const none = readProcessConfig(['--class', 'builtin', '--concurrency', '0'], {}, cwd);
    await expect(none).rejects.toThrow('whole number from 1 to 1000');
  });
});
