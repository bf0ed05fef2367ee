import type {
  NextValue,
  SkillDefinition,
  StepRecord,
  StoreAccessor,
} from '../definition/skill-definition.ts';
import { resolveNext } from './resolve-next.ts';
import type { RunState } from './run-state.ts';
import { type Target, targetOf } from './target.ts';
import { VisitGuard } from './visit-guard.ts';

/** Where a run is: at a step, gone for a sub-skill or a topic, or at its end. */
export type Place = Target | { readonly kind: 'end' };

/** Finds out where a recorded step leads. */
export class Router {
  readonly #definition: SkillDefinition;
  readonly #state: RunState;
  readonly #guard: VisitGuard;

  constructor(definition: SkillDefinition, state: RunState) {
    this.#definition = definition;
    this.#state = state;
    this.#guard = new VisitGuard(definition.steps);
  }

  /**
   * @param next of the step that was recorded last
   * @throws KitError NO_BRANCH, TARGET_UNKNOWN, CYCLE_GUARD; and what the author's functions throw
   */
  placeAfter(
    next: NextValue,
    { step, response, actionResult }: StepRecord,
    context: { readonly params: unknown; readonly store: StoreAccessor },
  ): Place {
    const visits = (of: string): number => this.#state.visits(of);
    const name = resolveNext(step, next, { ...context, response, actionResult, attempts: visits(step) });
    if (name === null) {
      return { kind: 'end' };
    }
    const target = targetOf(this.#definition, step, name);
    return target.kind === 'step'
      ? targetOf(this.#definition, step, this.#guard.admit(target.step, visits))
      : target;
  }
}
