import { formatPlace, SkillyardError } from '@skillyard/contracts';
import { compileProgram, loadSkill, type Mode, modeOf, type Program } from '@skillyard/engine';

/** Compiled skills kept in memory. */
const LIMIT = 500;

/** The programs of skills, compiled once per text and kept by its hash. */
export class Programs {
  readonly #readText: (hash: string) => Promise<string | null>;
  readonly #programs = new Map<string, Promise<Program>>();

  /** @param readText the text of a skill by its hash; null when it is gone */
  constructor(readText: (hash: string) => Promise<string | null>) {
    this.#readText = readText;
  }

  /**
   * @param file what messages call it
   * @param mode the description that is to run; null: the one that is in effect
   * @throws SkillyardError SKILL_INVALID if it is refused or lacks that description, SKILL_NOT_FOUND if its text is gone
   */
  get(hash: string, file: string, mode: Mode | null): Promise<Program> {
    const key = `${hash} ${mode ?? ''}`;
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    const program = this.#compile(hash, file, mode);
    this.#programs.set(key, program);
    const oldest = this.#programs.keys().next();
    if (this.#programs.size > LIMIT && oldest.done !== true) this.#programs.delete(oldest.value);
    // A failure may pass (Redis was away): the next turn tries again.
    program.catch(() => this.#programs.delete(key));
    return program;
  }

  async #compile(hash: string, file: string, mode: Mode | null): Promise<Program> {
    const text = await this.#readText(hash);
    if (text === null) {
      throw new SkillyardError(
        'SKILL_NOT_FOUND',
        `the text of ${file} is no longer stored; submit the turn again`,
        {
          details: { file, hash },
        },
      );
    }
    const { skill, diagnostics } = loadSkill(text, { file });
    if (skill === null) {
      const lines = diagnostics.map(
        (one) => `${formatPlace(one)}: ${one.message}${one.hint === undefined ? '' : `; ${one.hint}`}`,
      );
      throw new SkillyardError('SKILL_INVALID', lines.join('\n'), { details: { file } });
    }
    const half = modeOf(skill, mode ?? '');
    try {
      return compileProgram(skill, half);
    } catch (error) {
      const message = `${file} was accepted and cannot be compiled; that is a bug of ours: ${String(error)}`;
      throw new SkillyardError('SKILL_INVALID', message, { details: { file }, cause: error });
    }
  }
}
