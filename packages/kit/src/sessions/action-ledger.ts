import { isDeepStrictEqual } from 'node:util';
import type { Accepted, Run } from '../workflow/run.ts';
import type { ActionJournal, HeldSession, JournaledAction } from './session-store.ts';

/** An action was begun in a process that died, and what became of it is not known. */
export class ActionInterrupted extends Error {
  readonly step: string;

  constructor(step: string) {
    super(
      `The action of step "${step}" was interrupted and may have been carried out or not. Look whether it was; ` +
        'giving the answer once more carries it out (again).',
    );
    this.step = step;
  }
}

/**
 * Runs the actions of one advance and writes down how each ended before anything else happens, so that whoever takes the same
 * answer again after a crash gets the results instead of the actions.
 *
 * 1. A finished action is not repeated.
 * 2. An action of effect `once` that was begun and did not end is reported, not repeated; the next time it runs.
 * 3. Another answer owes nothing to what is written down for this one.
 */
export class ActionLedger {
  readonly #session: HeldSession;
  readonly #answer: ActionJournal['answer'];
  #actions: readonly JournaledAction[];
  #position = 0;

  constructor(session: HeldSession, answer: ActionJournal['answer']) {
    this.#session = session;
    this.#answer = answer;
    const journal = session.journal();
    this.#actions = journal !== null && isDeepStrictEqual(journal.answer, answer) ? journal.actions : [];
  }

  /**
   * @throws ActionInterrupted
   * @throws KitError as `Run.perform`
   */
  async perform(run: Run, accepted: Accepted, signal: AbortSignal): Promise<unknown> {
    const { step, action } = accepted;
    if (action === null) return undefined;
    const earlier = this.#actions.slice(0, this.#position);
    const known = this.#actions[this.#position];
    this.#position += 1;
    if (known?.step === step && known.finished) return known.result;
    if (known?.step === step && action.effect === 'once') {
      this.#write(earlier);
      throw new ActionInterrupted(step);
    }
    if (action.effect === 'once') this.#write([...earlier, { step, finished: false }]);
    let result: unknown;
    try {
      result = await run.perform(accepted, signal);
    } catch (error) {
      // It did not get lost: whoever called hears of it.
      this.#write(earlier);
      throw error;
    }
    this.#write([...earlier, { step, finished: true, result }]);
    return result;
  }

  #write(actions: readonly JournaledAction[]): void {
    this.#actions = actions;
    this.#session.writeJournal({ answer: this.#answer, actions });
  }
}
