import { skillHash } from '@skillyard/catalog';
import type { Skill } from '@skillyard/engine';
import { acceptSkill } from './accept-skill.ts';

/** Of the texts of the skills that are kept; what was read of them takes some twenty times as much. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Skills that were read from texts, kept by the hash of the text: most are asked for many times. */
export class AcceptedSkills {
  readonly #skills = new Map<string, { readonly skill: Skill; readonly bytes: number }>();
  #bytes = 0;

  /** undefined for a text that was not read, or long ago. */
  find(text: string): Skill | undefined {
    return this.#skills.get(skillHash(text))?.skill;
  }

  /** @throws SkillyardError as `acceptSkill` */
  read(text: string, file: string): Skill {
    const hash = skillHash(text);
    const known = this.#skills.get(hash);
    if (known !== undefined) return known.skill;
    const skill = acceptSkill(text, file);
    const bytes = Buffer.byteLength(text);
    this.#skills.set(hash, { skill, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#skills) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#skills.delete(oldest);
      this.#bytes -= freed;
    }
    return skill;
  }
}
