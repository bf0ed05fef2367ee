import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** W17: `switch.var` with braces. */
export const checkW17: FlowCheck = ({ steps }, report) => {
  for (const { step, place, label } of stepsOf(steps, 'switch')) {
    if (!/[{}]/.test(step.variable)) continue;
    const bare = step.variable.replaceAll(/[{}]/g, '').trim();
    report.add({
      position: stepPosition(step, 'switch.var'),
      step: place,
      message: `${label} switches on ${step.variable}, and a switch takes a name without braces.`,
      hint: `Write var: ${bare}.`,
    });
  }
};
