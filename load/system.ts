import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SkillyardClient } from '@skillyard/client';
import { ApiKeys, connect, MODEL_CLASS, type QueueConnection } from '@skillyard/queue';
import { type NodeProcess, spawnNode, startRedis } from '@skillyard/testing';
import { ORCHESTRATORS, TENANTS } from './load-plan.ts';

/** Generations of one worker at once: no turn waits for another. */
const CONCURRENCY = 1000;
const WORKERS = 2;
/** On a machine that is busy with other tests. */
const START_MS = 60_000;

/** The whole system, as processes. */
export interface System {
  readonly connection: QueueConnection;
  /** A client with the key of a tenant, at one of the orchestrators. */
  client(tenant: string, orchestrator: number): SkillyardClient;
  close(): Promise<void>;
}

/**
 * Starts orchestrators with the API, and workers whose model answers with the last line of what it is told.
 * @param modelMs how long it thinks
 * @returns undefined when there is no Redis
 */
export async function startSystem(modelMs: number): Promise<System | undefined> {
  const redis = await startRedis();
  if (redis === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-load-'));
  const prefix = `load-${randomUUID().slice(0, 8)}`;
  const connection = await connect({ url: redis.url, prefix });
  const processes: NodeProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(processes.map((one) => one.stop()));
    await connection.close();
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await writeFile(join(folder, 'answers.yaml'), `steps: {"*": [{echo: true, delay_ms: ${modelMs}}]}\n`);
    const file = join(folder, 'skillyard.json');
    await writeFile(file, JSON.stringify(configuration(prefix)));
    const common = ['--config', file, '--redis', redis.url];
    for (let number = 0; number < ORCHESTRATORS; number++) processes.push(start('orchestrator', common));
    for (let number = 0; number < WORKERS; number++)
      processes.push(start('workers', ['--class', MODEL_CLASS, ...common]));
    await Promise.all(processes.map((one) => one.wrote('"event":"ready"', START_MS)));
    const urls = processes.slice(0, ORCHESTRATORS).map(addressOf);
    const keys = await createKeys(connection);
    return {
      connection,
      client: (tenant, orchestrator) =>
        new SkillyardClient({ url: urls[orchestrator] ?? '', apiKey: keys.get(tenant) ?? '' }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function configuration(prefix: string): object {
  return {
    models: { echo: { provider: 'scripted', script: 'answers.yaml' } },
    redis: { prefix },
    classes: { [MODEL_CLASS]: { concurrency: CONCURRENCY } },
    http: { port: 0, auth: 'required', max_streams: 10_000, requests_per_minute: 10_000_000 },
  };
}

/** As they are deployed: what was built. */
function start(service: 'orchestrator' | 'workers', args: readonly string[]): NodeProcess {
  const main = fileURLToPath(new URL(`../services/${service}/dist/main.js`, import.meta.url));
  return spawnNode(main, args, { env: { LOG_LEVEL: 'warn' } });
}

/** An orchestrator says in its first line where its API is. */
function addressOf(orchestrator: NodeProcess): string {
  const [line = ''] = orchestrator.stdout().split('\n');
  return (JSON.parse(line) as { http: string }).http;
}

/** Secrets by tenant. */
async function createKeys(connection: QueueConnection): Promise<Map<string, string>> {
  const apiKeys = new ApiKeys(connection);
  const made = TENANTS.map(async (tenant): Promise<[string, string]> => {
    const { secret } = await apiKeys.create({ tenant, name: 'load', scopes: ['submit', 'read'] }, 'load');
    return [tenant, secret];
  });
  return new Map(await Promise.all(made));
}
