/** An orchestrator, as it is started in production, with every job going to a worker. Argument: address of Redis. */
import { createLogger, runOrchestrator } from '@skillyard/orchestrator';
import { serve } from './bench-process.ts';
import { queueOf } from './bench-classes.ts';

const [redisUrl = ''] = process.argv.slice(2);
await runOrchestrator({
  config: {},
  baseDir: '.',
  redisUrl,
  env: {},
  log: createLogger('silent'),
  queueOf,
});
serve({});
