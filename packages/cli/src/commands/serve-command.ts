import { SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface ServeOptions {
  readonly config?: string;
  readonly redis?: string;
  readonly orchestrators: string;
}

/** More have nothing to do: there are as many shards of turns. */
const MOST_ORCHESTRATORS = 16;

/** `skillyard serve`: the whole system on this machine, to try it out. */
export function addServe(program: Command, attach: Attach): void {
  const command = program
    .command('serve')
    .summary('run the whole system: orchestrators and workers')
    .description(
      'Starts an orchestrator, a worker for models and one for each class of tools, and shows their logs. ' +
        'With --json, events are one JSON object a line.',
    )
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379')
    .option('--orchestrators <n>', 'how many share the turns', '1');
  attach<ServeOptions>(command, async ({ surroundings, terminal }, _args, options) => {
    const [{ connect }, { redisUrl }, { supervise }, { systemProcesses }] = await Promise.all([
      import('@skillyard/queue'),
      import('@skillyard/runtime'),
      import('../serve/supervise.ts'),
      import('../serve/system-processes.ts'),
    ]);
    const orchestrators = readOrchestrators(options.orchestrators);
    const loaded = await loadCommandConfig(surroundings, { file: options.config });
    const url = redisUrl(loaded.config, surroundings.env, options.redis);
    // Looked at before anything is started: one message instead of one from each process.
    const connection = await connect({ url, whenAway: 'fail' });
    const { address, warnings } = connection;
    await connection.close();
    for (const warning of warnings) terminal.err(warning);
    return supervise(systemProcesses(loaded, url, orchestrators), address, surroundings, terminal);
  });
}

/** @throws SkillyardError INPUT_INVALID */
function readOrchestrators(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_ORCHESTRATORS) return count;
  const message = `--orchestrators "${text}" is no number from 1 to ${MOST_ORCHESTRATORS}`;
  throw new SkillyardError('INPUT_INVALID', message);
}
