/**
 * Which entry of its list a request gets.
 *
 * A script lists its answers in the order in which a sequential run asks for them. A run that fans out asks in another
 * order, so the order of arrival says nothing there. The place of a job in its turn does: it is the same in every run. A sequential
 * run therefore notes which job got which entry, and later runs of the same case give each job the same.
 */
export class AnswerOrder {
  readonly #entries = new Map<string, number>();
  readonly #taken = new Map<string, number>();
  readonly #noted: ReadonlyMap<string, number> | null;

  /** @param sequential what a sequential run noted; without it this is the run that takes the notes */
  constructor(sequential?: AnswerOrder) {
    this.#noted = sequential === undefined ? null : sequential.#entries;
  }

  /**
   * The entry for a job.
   * @param list what the answers are listed under
   * @param length entries in the list; the last one repeats
   */
  entry(list: string, length: number, job: string): number {
    const noted = this.#noted?.get(job);
    if (noted !== undefined) return noted;
    // Not asked by the sequential run: an iteration that started early and will be discarded.
    if (this.#noted !== null) return length - 1;
    const next = this.#taken.get(list) ?? 0;
    this.#taken.set(list, next + 1);
    const entry = Math.min(next, length - 1);
    this.#entries.set(job, entry);
    return entry;
  }
}
