import type { SkillResources } from './agent-skill.ts';
import type { SkillProblem } from './skill-problem.ts';

/** A `SKILL.md` that a search came upon. */
export interface FoundSkill {
  /** The name of its folder. */
  readonly folder: string;
  /** The agent in whose folder it stands; null outside one. */
  readonly agent: string | null;
  readonly location: string;
  /** The `SKILL.md`, for people. */
  readonly file: string;
  /** What is in it, or why that is not known. */
  readonly text: string | SkillProblem;
  readonly resources: SkillResources;
}
