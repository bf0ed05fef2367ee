import type { StepJob } from '@skillyard/contracts';
import { comparePaths } from '@skillyard/engine';

/**
 * Jobs that wait for a place, in the order of the flow: what the sequential run would do first comes first. So work that
 * has begun is finished before new iterations are started, and one place alone gives exactly the sequential order.
 */
export class JobQueue {
  readonly #jobs: StepJob[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  add(job: StepJob): void {
    let low = 0;
    let high = this.#jobs.length;
    // New jobs mostly belong at the end; looking there first keeps the usual case cheap.
    const last = this.#jobs.at(-1);
    if (last === undefined || comparePaths(last.path, job.path) <= 0) low = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#jobs[middle];
      if (other !== undefined && comparePaths(other.path, job.path) <= 0) low = middle + 1;
      else high = middle;
    }
    this.#jobs.splice(low, 0, job);
  }

  take(): StepJob | undefined {
    return this.#jobs.shift();
  }

  remove(id: StepJob['id']): void {
    const at = this.#jobs.findIndex((job) => job.id === id);
    if (at >= 0) this.#jobs.splice(at, 1);
  }
}
