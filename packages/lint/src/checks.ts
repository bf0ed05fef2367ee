import { checkE1 } from './rules/e1.ts';
import { checkS5 } from './rules/s5.ts';
import { checkS6 } from './rules/s6.ts';
import type { RuleId } from './rules.ts';
import type { FlowCheck, SkillCheck } from './subject.ts';

/** The rules that look at a skill, whether its workflow is valid or not. */
export const SKILL_CHECKS: Partial<Readonly<Record<RuleId, SkillCheck>>> = {
  S5: checkS5,
  S6: checkS6,
  E1: checkE1,
};

/** The rules that look at a valid workflow. */
export const FLOW_CHECKS: Partial<Readonly<Record<RuleId, FlowCheck>>> = {};
