import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

/** The commands of the page, as they are pasted. */
function pasted(): string[] {
  const page = readFileSync(new URL('../../../docs/quickstart.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, command = '']) => command);
}

describe.skipIf(redis === undefined)('docs/quickstart.md', () => {
  const [build, serve = '', ...others] = pasted();
  const env = {
    ...process.env,
    REDIS_URL: redis?.url ?? '',
    NO_COLOR: '1',
    FORCE_COLOR: '',
    SKILLYARD_CONFIG: '',
  };
  const bash = (command: string): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)('bash', ['-c', command], { cwd: ROOT, env });
  let written = '';
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    // A process group: a signal reaches what the shell has started, as Ctrl-C does.
    const served = spawn('bash', ['-c', serve], { cwd: ROOT, env, detached: true });
    const ended = new Promise((resolve) => served.once('close', resolve));
    for (const stream of [served.stdout, served.stderr])
      stream.on('data', (chunk: Buffer) => (written += chunk.toString('utf8')));
    stop = async () => {
      process.kill(-(served.pid ?? 0), 'SIGTERM');
      await ended;
    };
    await until(() => written.includes('console: '), 30_000, 'the address of the console');
  });
  afterAll(() => stop());

  it('builds first, which is done before the tests', () => {
    expect(build).toBe('npm ci && npm run build');
  });

  it('serves the examples and a console on loopback', async () => {
    expect(written).toContain('serving the examples (examples/skillyard.yaml)');
    const address = /console: (\S+)/.exec(written)?.[1] ?? '';
    expect(address).toBe('http://127.0.0.1:7310/');
    const page = await fetch(address);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('<script type="module"');
    const { skills } = (await (await fetch(`${address}v1/skills`)).json()) as { skills: { name: string }[] };
    expect(skills.map(({ name }) => name)).toEqual(expect.arrayContaining(['ferry-desk', 'bus-complaint']));
  });

  it('every command does what the page says', async () => {
    const [submit = '', curl = '', broken = '', failed = '', config = '', check = ''] = others;
    expect(others).toHaveLength(6);
    expect((await bash(submit)).stdout).toMatch(/dog/i);
    const submitted = JSON.parse((await bash(curl)).stdout) as { turnId: string; skill: string };
    expect(submitted).toMatchObject({ skill: 'ferry-desk', tenant: 'default' });
    await bash(broken).catch(() => undefined);
    expect((await bash(failed)).stdout).not.toBe('');
    expect((await bash(config)).stdout).toContain('is valid');
    expect((await bash(check)).stdout).not.toBe('');
    const ended = await until(
      async () => {
        const { turns } = (await (await fetch('http://127.0.0.1:7310/v1/turns')).json()) as {
          turns: { skill: string; status: string }[];
        };
        return (
          turns.length === 3 &&
          turns.every(({ status }) => status === 'completed' || status === 'failed') &&
          turns
        );
      },
      20_000,
      'the end of the three turns',
    );
    expect(ended).toContainEqual(expect.objectContaining({ skill: 'ferry-desk', status: 'completed' }));
  });
});
