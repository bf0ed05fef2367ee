/**
 * A bare BullMQ worker whose jobs take no time. A job that says how many are to follow adds the next one itself; the
 * last of such a chain tells of its end through a stream. Argument: address of Redis.
 */
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { CONCURRENCY } from './bench-classes.ts';
import { serve } from './bench-process.ts';
import { Intervals } from './intervals.ts';
import { type BareJob, ENDS, JOB_OPTIONS, QUEUE } from './bullmq-jobs.ts';

const ANSWER = 'The village library has three copies, two of them lent until Friday.';

const [url = ''] = process.argv.slice(2);
const redis = new Redis(url, { maxRetriesPerRequest: null });
const queue = new Queue<BareJob>(QUEUE, { connection: redis });
const intervals = new Intervals();
let handled = 0;

const worker = new Worker<BareJob, string>(
  QUEUE,
  async ({ data, name }) => {
    intervals.mark();
    handled++;
    if (data.follow !== undefined && data.follow > 0) {
      await queue.add(
        name,
        { ...data, follow: data.follow - 1 },
        { ...JOB_OPTIONS, jobId: `${data.flow}.${data.follow}` },
      );
    } else if (data.follow === 0) {
      await redis.xadd(ENDS, '*', 'flow', data.flow);
    }
    return ANSWER;
  },
  { connection: redis.duplicate(), concurrency: CONCURRENCY },
);
await worker.waitUntilReady();

serve({ intervals: () => intervals.take(), handled: () => handled });
