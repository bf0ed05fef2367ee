import { quoted } from '@skillyard/engine';
import { callTarget } from '../call-target.ts';
import { BUILTIN } from '../given.ts';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** W7: a call of a built-in tool that the header does not declare, once for each. */
export const checkW7: FlowCheck = ({ skill, steps }, report) => {
  const declared = new Set(skill.builtinTools);
  for (const { step, place, label } of stepsOf(steps, 'call')) {
    const target = callTarget(step);
    if (target?.server !== BUILTIN || declared.has(target.tool)) continue;
    declared.add(target.tool);
    report.add({
      position: stepPosition(step, 'call.tool'),
      step: place,
      message: `${label} calls the built-in tool ${quoted(target.tool)}, which the header does not declare.`,
      hint: `Add ${quoted(target.tool)} to \`builtin_tools\` in the header.`,
    });
  }
};
