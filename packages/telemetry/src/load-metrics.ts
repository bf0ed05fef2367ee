import type { Meter } from '@opentelemetry/api';

/** How much there is to do at this moment, over all processes. */
export interface Load {
  /** Jobs that wait for a worker of a class, those that wait for another attempt included. */
  readonly backlog: Readonly<Record<string, number>>;
  /** Turns of this process that have not ended. */
  readonly activeTurns: number;
}

/** How long a reading may take: a Redis that is away must not hold up what else is measured. */
const PATIENCE_MS = 2000;

/** Has the load read whenever metrics are collected, and not otherwise. */
export function measureLoad(meter: Meter, read: () => Promise<Load>): void {
  const backlog = meter.createObservableGauge('skillyard.queue.backlog', {
    description:
      'Jobs that wait for a worker, by class. Every orchestrator tells the same: take the maximum.',
  });
  const active = meter.createObservableGauge('skillyard.turns.active', {
    description: 'Turns that have not ended, of the shards of this orchestrator: add them up.',
  });
  meter.addBatchObservableCallback(
    async (observer) => {
      const load = await inTime(read());
      if (load === undefined) return;
      for (const [workerClass, jobs] of Object.entries(load.backlog))
        observer.observe(backlog, jobs, { class: workerClass });
      observer.observe(active, load.activeTurns);
    },
    [backlog, active],
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
