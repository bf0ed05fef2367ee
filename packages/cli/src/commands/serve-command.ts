import { SkillyardError } from '@skillyard/contracts';
import type { LoadedConfig } from '@skillyard/runtime';
import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface ServeOptions {
  readonly config?: string;
  readonly redis?: string;
  readonly orchestrators: string;
  readonly port?: string;
}

/** More have nothing to do: there are as many shards of turns. */
const MOST_ORCHESTRATORS = 16;
/** Where the API and the console are, when the configuration does not say. */
const DEFAULT_PORT = 7310;

/** `skillyard serve`: the whole system on this machine, to try it out. */
export function addServe(program: Command, attach: Attach): void {
  const command = program
    .command('serve')
    .summary('run the whole system: console, API, orchestrators and workers')
    .description(
      'Starts an orchestrator with the API and the console, a worker for models and one for each class of tools, and ' +
        'shows their logs. Without a configuration it serves the examples; without a Redis it starts one of its own, ' +
        'for as long as it runs. With --json, events are one JSON object a line.',
    )
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here, else the examples')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379')
    .option('--orchestrators <n>', 'how many share the turns', '1')
    .option(
      '--port <n>',
      `of the API and the console; default: http.port, else ${DEFAULT_PORT}. Further orchestrators take the next ones`,
    );
  attach<ServeOptions>(command, async ({ surroundings, terminal }, _args, options) => {
    const [{ supervise }, { systemProcesses }] = await Promise.all([
      import('../serve/supervise.ts'),
      import('../serve/system-processes.ts'),
    ]);
    const orchestrators = readNumber('--orchestrators', options.orchestrators, 1, MOST_ORCHESTRATORS);
    const asked = options.port === undefined ? undefined : readNumber('--port', options.port, 0, 65_535);
    const loaded = await loadServed(surroundings, terminal, options.config);
    const port = asked ?? loaded.config.http?.port ?? DEFAULT_PORT;
    const redis = await findRedis(loaded, surroundings, terminal, options.redis);
    try {
      const plans = systemProcesses(loaded, { redisUrl: redis.url, orchestrators, port });
      const introduction = { redis: redis.address, access: await accessTo(loaded, options) };
      return await supervise(plans, introduction, surroundings, terminal);
    } finally {
      await redis.close();
    }
  });
}

/** What is served: the configuration that is meant, or the examples when there is none. */
async function loadServed(
  surroundings: Surroundings,
  terminal: Terminal,
  file: string | undefined,
): Promise<LoadedConfig> {
  const { loadExampleConfig } = await import('../serve/example-config.ts');
  const found = await loadCommandConfig(surroundings, { file });
  const examples = found.file === null ? await loadExampleConfig(surroundings) : null;
  if (examples === null) return found;
  terminal.err(`no skillyard.yaml here: serving the examples (${examples.shown})`);
  return examples.loaded;
}

/** How to get in; null where nobody is asked for a key. */
async function accessTo(
  { config }: LoadedConfig,
  { config: file, redis }: ServeOptions,
): Promise<string | null> {
  const { accessMode } = await import('@skillyard/orchestrator');
  if (accessMode(config.http ?? {}) === 'off') return null;
  const where = `${file === undefined ? '' : ` --config ${file}`}${redis === undefined ? '' : ' --redis <url>'}`;
  return (
    'it asks for a key, which this makes: skillyard keys create --name me ' +
    `--tenant '*' --scope submit --scope read --scope operate --scope admin${where}`
  );
}

/** A Redis for the system, looked at before anything is started: one message instead of one from each process. */
async function findRedis(
  { config }: LoadedConfig,
  { env }: Surroundings,
  terminal: Terminal,
  asked: string | undefined,
): Promise<{ url: string; address: string; close(): Promise<void> }> {
  const [{ connect }, { redisUrl }, { startOwnRedis }] = await Promise.all([
    import('@skillyard/queue'),
    import('@skillyard/runtime'),
    import('../serve/own-redis.ts'),
  ]);
  const url = redisUrl(config, env, asked);
  try {
    const connection = await connect({ url, whenAway: 'fail' });
    const { address, warnings } = connection;
    await connection.close();
    for (const warning of warnings) terminal.err(warning);
    return { url, address, close: () => Promise.resolve() };
  } catch (error) {
    const isNamed = asked !== undefined || config.redis?.url !== undefined || Boolean(env['REDIS_URL']);
    if (isNamed || !SkillyardError.is(error, 'REDIS_UNAVAILABLE')) throw error;
    const own = await startOwnRedis();
    if (own === null) throw error;
    terminal.err(`no Redis on this machine: started one at ${own.url}; its turns are gone when this ends`);
    return { ...own, address: own.url };
  }
}

/** @throws SkillyardError INPUT_INVALID */
function readNumber(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  const message = `${option} "${text}" is no number from ${least} to ${most}`;
  throw new SkillyardError('INPUT_INVALID', message);
}
