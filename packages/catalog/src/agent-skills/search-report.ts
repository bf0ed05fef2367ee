import { type Diagnostic, formatPlace, SkillyardError } from '@skillyard/contracts';
import { LIMITS } from './limits.ts';
import { inFile, type SkillProblem } from './skill-problem.ts';

/** Gathers what is wrong while skills are searched for; bounds how much is looked at. */
export class SearchReport {
  readonly #strict: boolean;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #maxSkillBytes: number;
  #skillBytesLeft: number;
  #omitted = 0;
  #entriesLeft: number = LIMITS.totalEntries;

  /**
   * @param strict whether an error ends the search
   * @param maxSkillBytes of all `SKILL.md` together
   */
  constructor(strict: boolean, maxSkillBytes: number = LIMITS.totalSkillBytes) {
    this.#strict = strict;
    this.#maxSkillBytes = maxSkillBytes;
    this.#skillBytesLeft = maxSkillBytes;
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

  get skillBytesLeft(): number {
    return this.#skillBytesLeft;
  }

  /** Counts a `SKILL.md` that is to be kept. @returns its text, or that it does not fit any more */
  keepSkill(text: string): string | SkillProblem {
    const bytes = Buffer.byteLength(text);
    if (bytes > this.#skillBytesLeft) return this.noRoom();
    this.#skillBytesLeft -= bytes;
    return text;
  }

  /** What is wrong with a `SKILL.md` that does not fit any more. */
  noRoom(): SkillProblem {
    return {
      code: 'SKILL_FILES_TOO_LARGE',
      severity: 'error',
      message: `the file is skipped: with it, all skill files would have more than ${this.#maxSkillBytes} bytes`,
      hint: 'name fewer folders, or move details into files of the skill folders that the bodies name',
    };
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
