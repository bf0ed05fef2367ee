import type { Mode, Skill } from '../format/ast.ts';
import { modeOf } from '../format/mode.ts';
import { compileCode } from './compile-code.ts';
import { compilePlaybook } from './playbook.ts';
import { compileWorkflow, type Program } from './program.ts';

/**
 * Compiles what a validated skill does: its workflow, its playbook as a program of one model step, or its code as a
 * program of one step that asks it.
 * @param mode which of them; the one in effect when left out (spec section 1)
 * @throws RangeError if the skill does not have that description; callers who choose a mode resolve it first
 */
export function compileProgram(skill: Skill, mode: Mode = modeOf(skill)): Program {
  switch (mode) {
    case 'workflow':
      return compileWorkflow(skill);
    case 'playbook':
      return compilePlaybook(skill);
    case 'code':
      return compileCode(skill);
  }
}
