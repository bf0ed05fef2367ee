import type { PlaceOptions, RunningOrchestrator } from '@skillyard/orchestrator';
import type { Command } from 'commander';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface OrchestratorOptions extends PlaceOptions {
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
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379')
    .option('--port <n>', 'of the API and the console; 0 takes a free one; default: http.port, else no API')
    .option('--host <name>', 'that they listen at; default: http.host, 127.0.0.1')
    .option('--metrics-port <n>', 'of the metrics; default: telemetry.metrics_port');
  attach<OrchestratorOptions>(command, async ({ surroundings, terminal }, _args, options) => {
    const [{ redisUrl }, { createLogger, runOrchestrator, withPlaces }, { runService }] = await Promise.all([
      import('@skillyard/runtime'),
      import('@skillyard/orchestrator'),
      import('../serve/run-service.ts'),
    ]);
    const { env } = surroundings;
    const { config: found, baseDir } = await loadCommandConfig(surroundings, { file: options.config });
    const config = withPlaces(found, options);
    const url = redisUrl(config, env, options.redis);
    const log = createLogger(env['LOG_LEVEL']);
    const start = () => runOrchestrator({ config, baseDir, redisUrl: url, env, log });
    const details = ({ http }: RunningOrchestrator) => (http === null ? {} : { http });
    return runService({ role: 'orchestrator', start, details }, surroundings, terminal);
  });
}
