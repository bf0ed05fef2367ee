/** Somebody who adds bare BullMQ jobs, the way a user would write it. Argument: address of Redis. */
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { FLOWS } from './bench-classes.ts';
import { serve } from './bench-process.ts';
import { type BareJob, ENDS, JOB_OPTIONS, type JobsToRun, QUEUE } from './bullmq-jobs.ts';

const [url = ''] = process.argv.slice(2);
const redis = new Redis(url, { maxRetriesPerRequest: null });
const queue = new Queue<BareJob>(QUEUE, { connection: redis });
let rounds = 0;
let events: QueueEvents | undefined;

/** Called when a job has ended, by its id. */
const waiting = new Map<string, () => void>();

/** Starts or stops to listen for the ends of jobs. */
async function listen(on: boolean): Promise<void> {
  await events?.close();
  events = undefined;
  if (!on) return;
  events = new QueueEvents(QUEUE, { connection: redis.duplicate() });
  events.on('completed', ({ jobId }) => {
    waiting.get(jobId)?.();
    waiting.delete(jobId);
  });
  await events.waitUntilReady();
}

/** Flows side by side; in each, a job is added when the end of the one before is known. @returns milliseconds */
async function runObserved({ flows, jobsPerFlow }: JobsToRun): Promise<number> {
  const round = rounds++;
  const start = performance.now();
  const flowOf = async (flow: string): Promise<void> => {
    for (let index = 0; index < jobsPerFlow; index++) {
      const jobId = `${flow}.${index}`;
      const ended = new Promise<void>((resolve) => waiting.set(jobId, resolve));
      await queue.add('step', { flow, q: 'x' }, { ...JOB_OPTIONS, jobId });
      await ended;
    }
  };
  await Promise.all(Array.from({ length: flows }, (_, index) => flowOf(`r${round}-${index}`)));
  return performance.now() - start;
}

/** Flows side by side; in each, a job is added when the one before is in its queue. Nobody learns of their ends. */
async function addOnly({ flows, jobsPerFlow }: JobsToRun): Promise<void> {
  const round = rounds++;
  const flowOf = async (flow: string): Promise<void> => {
    for (let index = 0; index < jobsPerFlow; index++)
      await queue.add('step', { flow, q: 'x' }, { ...JOB_OPTIONS, jobId: `${flow}.${index}` });
  };
  await Promise.all(Array.from({ length: flows }, (_, index) => flowOf(`r${round}-${index}`)));
}

/** Starts chains, whose jobs the worker adds, and waits for the end of each. @returns milliseconds */
async function runChains({ flows, jobsPerFlow }: JobsToRun): Promise<number> {
  const start = performance.now();
  const ends: Promise<void>[] = [];
  await addChains({ flows, jobsPerFlow }, (flow) => {
    ends.push(new Promise((resolve) => waiting.set(`${flow}.1`, resolve)));
  });
  await Promise.all(ends);
  return performance.now() - start;
}

async function addChains({ flows, jobsPerFlow }: JobsToRun, onAdd: (flow: string) => void): Promise<void> {
  const round = rounds++;
  let left = flows;
  const add = async (): Promise<void> => {
    while (left > 0) {
      const flow = `c${round}-${left--}`;
      onAdd(flow);
      const data = { flow, q: 'x', follow: jobsPerFlow - 1 };
      await queue.add('step', data, { ...JOB_OPTIONS, jobId: `${flow}.${jobsPerFlow}` });
    }
  };
  await Promise.all(Array.from({ length: FLOWS }, add));
}

/**
 * The leanest chains: nobody listens to the queue, and the last job of each writes a line into one stream.
 * @returns milliseconds
 */
async function runLeanChains({ flows, jobsPerFlow }: JobsToRun): Promise<number> {
  const reader = redis.duplicate();
  await redis.del(ENDS);
  const start = performance.now();
  const countEnds = async (): Promise<void> => {
    for (let after = '0-0', ended = 0; ended < flows;) {
      const reply = await reader.xread('COUNT', 500, 'BLOCK', 5000, 'STREAMS', ENDS, after);
      const entries = reply?.[0]?.[1] ?? [];
      ended += entries.length;
      after = entries.at(-1)?.[0] ?? after;
    }
  };
  await Promise.all([countEnds(), addChains({ flows, jobsPerFlow }, () => {})]);
  const ms = performance.now() - start;
  reader.disconnect();
  return ms;
}

serve({ listen, runObserved, addOnly, runChains, runLeanChains });
