import type { StepRecord } from '../definition/skill-definition.ts';
import { deepFreeze } from './deep-freeze.ts';
import { deepMerge } from './deep-merge.ts';

/** What a run can be taken back to. */
export interface StateMark {
  readonly length: number;
  readonly subStores: ReadonlyMap<string, unknown>;
}

/** What has been recorded: the visits of steps, in order, and what they have written to sub-stores. */
export class RunState {
  #records: StepRecord[] = [];
  #results = new Map<string, unknown[]>();
  #subStores: ReadonlyMap<string, unknown> = new Map();
  #history: readonly StepRecord[] | undefined;

  /** Frozen; another array after every record. */
  get history(): readonly StepRecord[] {
    this.#history ??= Object.freeze([...this.#records]);
    return this.#history;
  }

  get last(): StepRecord | undefined {
    return this.#records.at(-1);
  }

  /** The results of every visit of a step. */
  resultsOf(step: string): readonly unknown[] {
    return this.#results.get(step) ?? [];
  }

  visits(step: string): number {
    return this.resultsOf(step).length;
  }

  subStore(name: string): unknown {
    return this.#subStores.get(name);
  }

  record(record: StepRecord): void {
    this.#records.push(record);
    const results = this.#results.get(record.step);
    if (results === undefined) {
      this.#results.set(record.step, [record.result]);
    } else {
      results.push(record.result);
    }
    this.#history = undefined;
  }

  write(subStores: Readonly<Record<string, unknown>>): void {
    const merged = new Map(this.#subStores);
    for (const [name, value] of Object.entries(subStores)) {
      merged.set(name, deepFreeze(deepMerge(merged.get(name), value)));
    }
    this.#subStores = merged;
  }

  mark(): StateMark {
    return { length: this.#records.length, subStores: this.#subStores };
  }

  /** Forgets what has come after the mark. */
  restore(mark: StateMark): void {
    for (const { step } of this.#records.splice(mark.length)) {
      this.#results.get(step)?.pop();
    }
    this.#subStores = mark.subStores;
    this.#history = undefined;
  }
}
