import { createHash } from 'node:crypto';
import type { Skill } from '@skillyard/engine';

/** One version of a skill: a text that loaded. */
export interface SkillVersion {
  /** As in its header. */
  readonly name: string;
  /** Of the text; the same text has the same hash wherever it lies. */
  readonly hash: string;
  /** `skill_version` of the header; empty when it has none. */
  readonly version: string;
  /** Absolute. */
  readonly path: string;
  /** The path as messages name it: from its folder on. */
  readonly file: string;
  readonly text: string;
}

/** A version that can be run. */
export interface StoredSkill extends SkillVersion {
  readonly skill: Skill;
}

/** Which version of a skill: by its own number (the latest that has it) or by its hash. */
export type VersionSelector = { readonly version: string } | { readonly hash: string };

/** How the text of a skill is named: 192 bits of its SHA-256. */
export function skillHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

export function isSelected(one: SkillVersion, selector: VersionSelector): boolean {
  return 'hash' in selector ? one.hash === selector.hash : one.version === selector.version;
}
