import type { Command } from 'commander';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface ServeOptions {
  readonly config?: string;
  readonly redis?: string;
}

/** `skillyard serve`: the whole system on this machine, to try it out. */
export function addServe(program: Command, attach: Attach): void {
  const command = program
    .command('serve')
    .summary('run the whole system: an orchestrator and its workers')
    .description(
      'Starts an orchestrator, a worker for models and one for each class of tools, and shows their logs. ' +
        'With --json, events are one JSON object a line.',
    )
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379');
  attach<ServeOptions>(command, async ({ surroundings, terminal }, _args, options) => {
    const [{ connect }, { redisUrl }, { supervise }, { systemProcesses }] = await Promise.all([
      import('@skillyard/queue'),
      import('@skillyard/runtime'),
      import('../serve/supervise.ts'),
      import('../serve/system-processes.ts'),
    ]);
    const loaded = await loadCommandConfig(surroundings, { file: options.config });
    const url = redisUrl(loaded.config, surroundings.env, options.redis);
    // Looked at before anything is started: one message instead of one from each process.
    const connection = await connect({ url, whenAway: 'fail' });
    const { address, warnings } = connection;
    await connection.close();
    for (const warning of warnings) terminal.err(warning);
    return supervise(systemProcesses(loaded, url), address, surroundings, terminal);
  });
}
