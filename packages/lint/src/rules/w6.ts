import { nestedLists, type Step, writtenVariables, quoted } from '@skillyard/engine';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** W6: nothing in a loop's body, at any depth, writes what the loop collects. */
export const checkW6: FlowCheck = ({ steps }, report) => {
  for (const { step, place, label } of stepsOf(steps, 'for_each')) {
    if (step.collect === '' || writes(step.steps, step.collect)) continue;
    report.add({
      position: stepPosition(step, 'for_each.collect'),
      step: place,
      message: `${label} collects ${quoted(step.collect)}, and no step of its body writes it.`,
      hint: `Write save_as: ${step.collect} on the step of the body whose result counts.`,
    });
  }
};

function writes(steps: readonly Step[], variable: string): boolean {
  return steps.some(
    (step) =>
      writtenVariables(step).includes(variable) || nestedLists(step).some((list) => writes(list, variable)),
  );
}
