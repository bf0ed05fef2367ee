import { analyseLoop } from '../flow/loop-analysis.ts';
import { nestedLists, type Step, type Workflow } from './ast.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';

/**
 * Refuses a declared `concurrency` where iterations could see each other (spec section 17). Checked on the built
 * workflow: whether a body is independent depends on all that is in it.
 */
export function checkLoops(workflow: Workflow, report: Report): void {
  checkList(workflow.steps, workflow, report);
}

function checkList(steps: readonly Step[], workflow: Workflow, report: Report): void {
  for (const step of steps) {
    if (step.kind === 'for_each' && step.concurrency > 0) {
      const { shared } = analyseLoop(step, workflow);
      if (shared !== null) {
        const label = step.name === '' ? 'An unnamed loop' : `Step ${quoted(step.name)}`;
        report.add({
          code: 'LOOP_NOT_INDEPENDENT',
          message: `${label}: \`concurrency\` is ${step.concurrency}, but one iteration writes ${quoted(shared)} and another may read it.`,
          hint: `Set ${quoted(shared)} in the body before it is read there, gather through \`collect\`, or leave \`concurrency\` out.`,
          offset: step.keys.get('for_each.concurrency') ?? step.position,
          step: step.name,
        });
      }
    }
    for (const list of nestedLists(step)) checkList(list, workflow, report);
  }
}
