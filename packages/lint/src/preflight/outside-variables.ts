import { type Workflow, writtenVariables } from '@skillyard/engine';
import { readsOf } from '../reads.ts';
import { walkFlow } from '../subject.ts';

/**
 * The variables that have to come from outside: those that a flow reads before any of its steps, in document order, has
 * written them, and that have no value in its `vars`. In the order in which they are read first.
 */
export function outsideVariables(workflow: Workflow): readonly string[] {
  const known = new Set(['answer', ...workflow.vars.keys()]);
  const found = new Set<string>();
  const write = (variables: readonly string[]): void => {
    for (const variable of variables) known.add(variable);
  };
  walkFlow(workflow.steps, {
    enter: ({ step }) => {
      for (const { reference } of readsOf(step)) {
        if (!known.has(reference.base) && !known.has(reference.text)) found.add(reference.base);
      }
      if (step.kind === 'for_each') write(writtenVariables(step));
    },
    leave: ({ step }) => write(writtenVariables(step)),
  });
  return [...found];
}
