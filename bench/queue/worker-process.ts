/** A worker, as it is started in production, whose jobs take no time. Argument: address of Redis. */
import type { StepJob, StepResult } from '@skillyard/contracts';
import { createLogger, runWorker } from '@skillyard/workers';
import { CONCURRENCY, TOOLS } from './bench-classes.ts';
import { serve } from './bench-process.ts';
import { Intervals } from './intervals.ts';

/** What an instruction or a call gives back. */
const ANSWER = 'The village library has three copies, two of them lent until Friday.';

const [redisUrl = ''] = process.argv.slice(2);
const intervals = new Intervals();
let handled = 0;
await runWorker({
  config: {
    classes: { model: { concurrency: CONCURRENCY }, [TOOLS]: { concurrency: CONCURRENCY } },
  },
  baseDir: '.',
  redisUrl,
  env: {},
  log: createLogger('silent'),
  classes: [TOOLS, 'model'],
  execute: (job: StepJob): StepResult => {
    intervals.mark();
    handled++;
    return { jobId: job.id, status: 'ok', text: ANSWER };
  },
});
serve({ intervals: () => intervals.take(), handled: () => handled });
