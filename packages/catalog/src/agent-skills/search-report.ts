import { type Diagnostic, formatPlace, SkillyardError } from '@skillyard/contracts';
import { LIMITS } from './limits.ts';
import { inFile, type SkillProblem } from './skill-problem.ts';

/** Gathers what is wrong while skills are searched for; bounds how much is looked at. */
export class SearchReport {
  readonly #strict: boolean;
  readonly #diagnostics: Diagnostic[] = [];
  #omitted = 0;
  #entriesLeft: number = LIMITS.totalEntries;

  /** @param strict whether an error ends the search */
  constructor(strict: boolean) {
    this.#strict = strict;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** How many more there would be. */
  get omitted(): number {
    return this.#omitted;
  }

  get entriesLeft(): number {
    return this.#entriesLeft;
  }

  countEntries(count: number): void {
    this.#entriesLeft -= count;
  }

  /** @throws SkillyardError SKILL_INVALID for an error, when strict */
  add(problem: SkillProblem, file: string): void {
    const diagnostic = inFile(problem, file);
    if (this.#strict && problem.severity === 'error') {
      const { code, message, hint = '', file: named = '' } = diagnostic;
      throw new SkillyardError('SKILL_INVALID', `${formatPlace(diagnostic)}: ${message}; ${hint}`, {
        details: { file: named, reason: code },
      });
    }
    if (this.#diagnostics.length < LIMITS.diagnostics) this.#diagnostics.push(diagnostic);
    else this.#omitted += 1;
  }
}
