import { SkillyardError } from '@skillyard/contracts';

/** Pieces of work that wait for others; more are refused. */
const MAX_WAITING = 50;
/** After a piece of work the thread is left to others for so many times as long. */
const REST = 3;

/**
 * Work that keeps this thread busy, one piece after the other and never more than a part of the time: reading or linting
 * a skill of 1 MiB takes about a second (measured 1 Dec 2026), and turns have to go on meanwhile.
 */
export class Pace {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @throws SkillyardError API_UNAVAILABLE if too much waits already; what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) {
      const message = `${MAX_WAITING} large skills wait to be read here already; try again in a moment`;
      throw new SkillyardError('API_UNAVAILABLE', message);
    }
    this.#waiting += 1;
    const before = this.#last;
    let rested = (): void => {};
    this.#last = new Promise<void>((resolve) => (rested = resolve));
    await before;
    this.#waiting -= 1;
    const startedAtMs = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(rested, REST * (performance.now() - startedAtMs));
    }
  }
}
