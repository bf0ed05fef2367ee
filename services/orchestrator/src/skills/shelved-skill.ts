import type { SkillSummary } from '@skillyard/contracts';
import type { Skill } from '@skillyard/engine';

/** One version of a skill, as turns run it. */
export interface ShelvedSkill {
  readonly name: string;
  /** What messages call it. */
  readonly file: string;
  readonly text: string;
  readonly hash: string;
  /** `skill_version` of its header; may be empty. */
  readonly version: string;
  readonly origin: SkillSummary['origin'];
  /** What was read of the text. */
  readonly skill: Skill;
}
