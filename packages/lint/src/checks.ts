import { checkE1 } from './rules/e1.ts';
import { checkE2 } from './rules/e2.ts';
import { checkE3 } from './rules/e3.ts';
import { checkE4 } from './rules/e4.ts';
import { checkE5 } from './rules/e5.ts';
import { checkS3 } from './rules/s3.ts';
import { checkS5 } from './rules/s5.ts';
import { checkS6 } from './rules/s6.ts';
import { checkW10 } from './rules/w10.ts';
import { checkW11 } from './rules/w11.ts';
import { checkW12 } from './rules/w12.ts';
import { checkW13 } from './rules/w13.ts';
import { checkW14 } from './rules/w14.ts';
import { checkW15 } from './rules/w15.ts';
import { checkW16 } from './rules/w16.ts';
import { checkW17 } from './rules/w17.ts';
import { checkW18 } from './rules/w18.ts';
import { checkW19 } from './rules/w19.ts';
import { checkW2 } from './rules/w2.ts';
import { checkW20 } from './rules/w20.ts';
import { checkW21 } from './rules/w21.ts';
import { checkW3 } from './rules/w3.ts';
import { checkW4 } from './rules/w4.ts';
import { checkW5 } from './rules/w5.ts';
import { checkW6 } from './rules/w6.ts';
import { checkW7 } from './rules/w7.ts';
import { checkW8 } from './rules/w8.ts';
import { checkW9 } from './rules/w9.ts';
import type { RuleId } from './rules.ts';
import type { FlowCheck, SkillCheck } from './subject.ts';

/** The rules that look at a skill, whether its workflow is valid or not. */
export const SKILL_CHECKS: Partial<Readonly<Record<RuleId, SkillCheck>>> = {
  S3: checkS3,
  S5: checkS5,
  S6: checkS6,
  E1: checkE1,
  E2: checkE2,
  E3: checkE3,
  E5: checkE5,
};

/** The rules that look at a valid workflow. */
export const FLOW_CHECKS: Partial<Readonly<Record<RuleId, FlowCheck>>> = {
  E4: checkE4,
  W2: checkW2,
  W3: checkW3,
  W4: checkW4,
  W5: checkW5,
  W6: checkW6,
  W7: checkW7,
  W8: checkW8,
  W9: checkW9,
  W10: checkW10,
  W11: checkW11,
  W12: checkW12,
  W13: checkW13,
  W14: checkW14,
  W15: checkW15,
  W16: checkW16,
  W17: checkW17,
  W18: checkW18,
  W19: checkW19,
  W20: checkW20,
  W21: checkW21,
};
