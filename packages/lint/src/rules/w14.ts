import { writtenVariables, quoted } from '@skillyard/engine';
import { type FlowCheck, type PlacedStep, stepPosition, walkFlow } from '../subject.ts';

/**
 * W14: a reference to a variable that nothing has written so far. So far is meant in document order, and what a branch
 * writes counts behind it: the rule is after misspelt names, not after branches that were not taken.
 */
export const checkW14: FlowCheck = ({ workflow, reads, options }, report) => {
  const known = new Set(['answer', ...workflow.vars.keys(), ...(options.hostVars ?? [])]);

  const enter = ({ step, place, label }: PlacedStep): void => {
    if (report.isFull()) return;
    for (const { reference, spelling, key } of reads.get(step) ?? []) {
      // A variable may have the name of the whole path.
      if (known.has(reference.base) || known.has(reference.text)) continue;
      report.add({
        position: stepPosition(step, key),
        step: place,
        message: `${label} reads ${spelling}, and nothing before it writes ${quoted(reference.base)}.`,
        hint: 'Mend the name, move the step that writes it before this one, or announce a variable of the application in `host_vars`.',
      });
    }
    if (step.kind === 'for_each') for (const variable of writtenVariables(step)) known.add(variable);
  };
  const leave = ({ step }: PlacedStep): void => {
    for (const variable of writtenVariables(step)) known.add(variable);
  };
  walkFlow(workflow.steps, { enter, leave });
};
