import type { Command } from 'commander';
import { type Attach, collect } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface WorkerOptions {
  readonly class?: string[];
  readonly concurrency?: string;
  readonly config?: string;
  readonly redis?: string;
  readonly metricsPort?: string;
}

/** `skillyard worker`: takes step jobs of some classes, in this process. */
export function addWorker(program: Command, attach: Attach): void {
  const command = program
    .command('worker')
    .summary('run a worker: it takes step jobs of its classes')
    .description(
      'Takes step jobs of one or several classes from a running system: `model` for generations, `builtin`, or the ' +
        'class of one or more tool servers. Ends when what is under way is finished or handed back.',
    )
    .option('--class <name>', 'class of jobs to take; may be repeated', collect)
    .option('--concurrency <n>', 'jobs at once of each class; default: what the configuration says')
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379')
    .option('--metrics-port <n>', 'of the metrics; default: telemetry.metrics_port');
  attach<WorkerOptions>(command, async ({ surroundings, terminal }, _args, options) => {
    const [{ redisUrl }, workers, { runService }] = await Promise.all([
      import('@skillyard/runtime'),
      import('@skillyard/workers'),
      import('../serve/run-service.ts'),
    ]);
    const { env } = surroundings;
    const { config: found, baseDir } = await loadCommandConfig(surroundings, { file: options.config });
    const config = workers.withMetricsPort(found, options.metricsPort);
    const classes = options.class ?? [];
    workers.checkClasses(classes, config);
    const { concurrency } = options;
    const worker: Parameters<typeof workers.runWorker>[0] = {
      config,
      baseDir,
      classes,
      redisUrl: redisUrl(config, env, options.redis),
      env,
      log: workers.createLogger(env['LOG_LEVEL']),
      ...(concurrency !== undefined && { concurrency: workers.readConcurrency(concurrency) }),
    };
    const service = { role: 'worker', details: () => ({ classes }), start: () => workers.runWorker(worker) };
    return runService(service, surroundings, terminal);
  });
}
