import type { Meter, ObservableGauge } from '@opentelemetry/api';

/** What there is to do in a queue at this moment, over all processes. */
export interface QueueLoad {
  readonly class: string;
  /** Jobs that could be taken now. */
  readonly waiting: number;
  /** Jobs that wait for their next attempt. */
  readonly delayed: number;
  readonly active: number;
  /** Jobs that failed and may be redriven. */
  readonly failed: number;
  readonly workers: number;
}

/** How much there is to do. */
export interface Load {
  readonly queues: readonly QueueLoad[];
  /** Turns of this process that have not ended. */
  readonly activeTurns: number;
}

/** How long a reading may take: a Redis that is away must not hold up what else is measured. */
const PATIENCE_MS = 2000;
/** Queues are everybody's. */
const SAME = 'Every orchestrator tells the same: take the maximum.';

/** Has the load read whenever metrics are collected, and not otherwise. */
export function measureLoad(meter: Meter, read: () => Promise<Load>): void {
  const gauge = (name: string, description: string): ObservableGauge =>
    meter.createObservableGauge(name, { description });
  const active = gauge('skillyard.turns.active', 'Turns that have not ended, of this process: add them up.');
  const perQueue: readonly [ObservableGauge, keyof Omit<QueueLoad, 'class'>][] = [
    [gauge('skillyard.queue.backlog', `Jobs that wait for a worker of a class. ${SAME}`), 'waiting'],
    [gauge('skillyard.queue.delayed', `Jobs that wait for their next attempt. ${SAME}`), 'delayed'],
    [gauge('skillyard.queue.active', `Jobs that workers have. ${SAME}`), 'active'],
    [gauge('skillyard.queue.failed', `Failed jobs that are kept for a redrive. ${SAME}`), 'failed'],
    [gauge('skillyard.queue.workers', `Workers of a class. ${SAME}`), 'workers'],
  ];
  meter.addBatchObservableCallback(
    async (observer) => {
      const load = await inTime(read());
      if (load === undefined) return;
      observer.observe(active, load.activeTurns);
      for (const queue of load.queues)
        for (const [instrument, fact] of perQueue)
          observer.observe(instrument, queue[fact], { class: queue.class });
    },
    [active, ...perQueue.map(([instrument]) => instrument)],
  );
}

/** @returns undefined when it takes too long or fails: a value that is missing says so itself */
async function inTime(reading: Promise<Load>): Promise<Load | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([reading.catch(() => undefined), over]);
  } finally {
    clearTimeout(timer);
  }
}
