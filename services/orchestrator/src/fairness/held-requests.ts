import type { TicketRequest } from '@skillyard/queue';

/** A job that was asked for and is not settled yet. */
export interface AskedJob {
  readonly request: TicketRequest;
  state: 'held' | 'in flight' | 'settled';
}

/** Taken places of a lane that are not worth clearing away. */
const FEW = 512;

/** Jobs of one priority, in the order in which they were asked for. */
interface Lane {
  jobs: AskedJob[];
  /** Where the first job is that was not taken. */
  next: number;
}

/** The held jobs of one tenant at one queue: those of higher priority first, then in the order of asking. */
export class HeldRequests {
  readonly #lanes = new Map<number, Lane>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(job: AskedJob): void {
    this.#size++;
    const lane = this.#lanes.get(job.request.priority);
    if (lane === undefined) this.#lanes.set(job.request.priority, { jobs: [job], next: 0 });
    else lane.jobs.push(job);
  }

  /** Puts back a job that was taken, before the others of its priority. */
  putBack(job: AskedJob): void {
    const lane = this.#lanes.get(job.request.priority);
    if (lane === undefined) return this.push(job);
    this.#size++;
    lane.jobs.splice(0, lane.next, job);
    lane.next = 0;
  }

  /** The job whose turn it is, which is held no longer. */
  take(): AskedJob | undefined {
    for (const priority of [...this.#lanes.keys()].toSorted((a, b) => b - a)) {
      const job = this.#takeFrom(priority);
      if (job === undefined) continue;
      this.#size--;
      return job;
    }
    return undefined;
  }

  /** Notes that a held job is settled. Its place is passed over later: a lane is not searched for it. */
  forget(job: AskedJob): void {
    job.state = 'settled';
    this.#size--;
    if (this.#size === 0) this.#lanes.clear();
  }

  #takeFrom(priority: number): AskedJob | undefined {
    const lane = this.#lanes.get(priority);
    if (lane === undefined) return undefined;
    while (lane.next < lane.jobs.length) {
      const job = lane.jobs[lane.next++];
      if (lane.next > FEW && lane.next * 2 > lane.jobs.length) {
        lane.jobs.splice(0, lane.next);
        lane.next = 0;
      }
      if (job?.state === 'held') return job;
    }
    this.#lanes.delete(priority);
    return undefined;
  }
}
