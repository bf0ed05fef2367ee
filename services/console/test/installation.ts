import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SkillyardClient } from '@skillyard/client';
import type { Config } from '@skillyard/contracts';
import { type ModelServer, spawnNode, startModelServer, toolServerCommand } from '@skillyard/testing';

const CLI = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url));

/** A whole system in processes of its own, with the console, and a model that answers as the test wants. */
export interface Installation {
  readonly url: string;
  readonly model: ModelServer;
  /** Acts for all tenants, and may do everything. */
  readonly client: SkillyardClient;
  /** The key of `client`. */
  readonly key: string;
  /** Makes another key. @returns its secret */
  createKey(tenant: string, ...scopes: string[]): Promise<string>;
  stop(): Promise<void>;
}

/**
 * @param prefix keeps its keys in Redis apart
 * @param more sections of the configuration in place of those of the tests
 */
export async function startInstallation(
  redisUrl: string,
  prefix: string,
  more: Pick<Config, 'history' | 'http' | 'skills'> = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-console-'));
  const model = await startModelServer();
  const config = {
    models: { m: { provider: 'openai-compatible', model: 'double', base_url: model.url } },
    servers: { depot: { ...toolServerCommand(), class: 'kitchen' } },
    redis: { prefix },
    retries: { attempts: 1 },
    history: { steps: 'on' },
    http: { auth: 'required', requests_per_minute: 1_000_000 },
    ...more,
  };
  await writeFile(join(folder, 'skillyard.yaml'), JSON.stringify(config));
  const options = { cwd: folder, env: { NO_COLOR: '1', REDIS_URL: redisUrl, SKILLYARD_CONFIG: '' } };
  const createKey = async (tenant: string, ...scopes: string[]): Promise<string> => {
    const given = scopes.flatMap((scope) => ['--scope', scope]);
    const made = spawnNode(CLI, ['keys', 'create', '--name', 'test', '--tenant', tenant, ...given], options);
    const { code } = await made.exited;
    if (code !== 0) throw new Error(`no key was made: ${made.stderr()}`);
    return made.stdout().trim();
  };
  const served = spawnNode(CLI, ['serve', '--json', '--port', '0'], options);
  await served.wrote('"event":"ready"', 40_000);
  const [, url = ''] = /"http":\["([^"]+)"/.exec(served.stdout()) ?? [];
  const key = await createKey('*', 'submit', 'read', 'answer', 'operate', 'admin');
  return {
    url,
    model,
    client: new SkillyardClient({ url, apiKey: key }),
    key,
    createKey,
    stop: async () => {
      await served.stop();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
