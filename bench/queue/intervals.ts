/** Times between the starts of successive jobs: what one round trip takes, when there is one job at a time. */
export class Intervals {
  #last: number | undefined;
  #ms: number[] = [];

  /** A job starts. */
  mark(): void {
    const now = performance.now();
    if (this.#last !== undefined) this.#ms.push(now - this.#last);
    this.#last = now;
  }

  /** What was seen since the last time, in milliseconds. */
  take(): number[] {
    const ms = this.#ms;
    this.#ms = [];
    this.#last = undefined;
    return ms;
  }
}

/** @param share 0.5 is the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
