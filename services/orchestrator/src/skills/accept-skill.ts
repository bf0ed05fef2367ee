import { type Diagnostic, formatPlace, SkillyardError } from '@skillyard/contracts';
import { loadSkill, type Skill } from '@skillyard/engine';

/** Bytes of a skill, as UTF-8: the limit of the format. */
const MAX_BYTES = 1_048_576;

/** A skill that does not load, with every mistake. */
export class SkillRefused extends SkillyardError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(file: string, diagnostics: readonly Diagnostic[]) {
    const lines = diagnostics.map(
      (one) => `${formatPlace(one)}: ${one.message}${one.hint === undefined ? '' : ` ${one.hint}`}`,
    );
    super('SKILL_INVALID', lines.join('\n'), { details: { file } });
    this.diagnostics = diagnostics;
  }
}

/**
 * Reads the text of a skill.
 * @param file what messages call it
 * @throws SkillRefused SKILL_INVALID with all diagnostics, SkillyardError SKILL_TOO_LARGE
 */
export function acceptSkill(text: string, file: string): Skill {
  boundSkill(text, file);
  const { skill, diagnostics } = loadSkill(text, { file });
  if (skill === null) throw new SkillRefused(file, diagnostics);
  return skill;
}

/** @throws SkillyardError SKILL_TOO_LARGE for a text over 1 MiB, before anything of it is read */
export function boundSkill(text: string, file: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return;
  const message = `the skill has ${bytes} bytes; ${MAX_BYTES} (1 MiB) are let through`;
  throw new SkillyardError('SKILL_TOO_LARGE', message, { details: { file } });
}
