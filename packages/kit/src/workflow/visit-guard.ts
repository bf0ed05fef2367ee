import { CycleGuardError } from '../kit-error.ts';
import { type Graph, visitLimits } from './analyse-cycles.ts';

/** Keeps runs from going round for ever. */
export class VisitGuard {
  readonly #steps: Graph;
  readonly #limits: ReadonlyMap<string, number>;

  constructor(steps: Graph) {
    this.#steps = steps;
    this.#limits = visitLimits(steps);
  }

  /**
   * Where one comes to who wants to enter `target`: there, or, when it has been visited as often as it may be, where its
   * `onMaxVisits` leads.
   * @throws CycleGuardError if it leads nowhere, or only to steps that have been visited too often themselves
   */
  admit(target: string, visits: (step: string) => number): string {
    const refused = new Set<string>();
    let step = target;
    while (visits(step) >= (this.#limits.get(step) ?? Infinity)) {
      refused.add(step);
      const fallback = this.#steps[step]?.onMaxVisits;
      if (fallback === undefined || refused.has(fallback)) {
        throw new CycleGuardError(
          `Step "${step}" has been visited ${visits(step)} times, which is its limit; ` +
            'raise its maxVisits, or let its onMaxVisits name a step to go on with',
        );
      }
      step = fallback;
    }
    return step;
  }
}
