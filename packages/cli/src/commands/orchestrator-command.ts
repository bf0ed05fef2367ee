import type { RunningOrchestrator } from '@skillyard/orchestrator';
import type { Command } from 'commander';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface OrchestratorOptions {
  readonly config?: string;
  readonly redis?: string;
}

/** `skillyard orchestrator`: runs turns, in this process. */
export function addOrchestrator(program: Command, attach: Attach): void {
  const command = program
    .command('orchestrator')
    .summary('run an orchestrator: it runs turns and asks workers for their steps')
    .description(
      'Runs submitted turns: decides what is next, and asks workers for it. Several of them share the turns. Ends ' +
        'when what is under way is finished; another one goes on with the turns.',
    )
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379');
  attach<OrchestratorOptions>(command, async ({ surroundings, terminal }, _args, options) => {
    const [{ redisUrl }, { createLogger, runOrchestrator }, { runService }] = await Promise.all([
      import('@skillyard/runtime'),
      import('@skillyard/orchestrator'),
      import('../serve/run-service.ts'),
    ]);
    const { env } = surroundings;
    const { config, baseDir } = await loadCommandConfig(surroundings, { file: options.config });
    const url = redisUrl(config, env, options.redis);
    const log = createLogger(env['LOG_LEVEL']);
    const start = () => runOrchestrator({ config, baseDir, redisUrl: url, env, log });
    const details = ({ http }: RunningOrchestrator) => (http === null ? {} : { http });
    return runService({ role: 'orchestrator', start, details }, surroundings, terminal);
  });
}
