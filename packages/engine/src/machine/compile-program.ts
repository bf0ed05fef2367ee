import type { Mode, Skill } from '../format/ast.ts';
import { modeOf } from '../format/mode.ts';
import { compilePlaybook } from './playbook.ts';
import { compileWorkflow, type Program } from './program.ts';

/**
 * Compiles what a validated skill does: its workflow, or its playbook as a program of one model step.
 * @param mode which of the two; the one in effect when left out (spec section 1)
 * @throws RangeError if the skill does not have that half; callers who choose a mode resolve it first
 */
export function compileProgram(skill: Skill, mode: Mode = modeOf(skill)): Program {
  return mode === 'playbook' ? compilePlaybook(skill) : compileWorkflow(skill);
}
