import { quoted } from '@skillyard/engine';
import { callTarget } from '../call-target.ts';
import { BUILTIN, entryOf, isFilled } from '../given.ts';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** W5: a call without an argument that its tool requires, one finding for each. */
export const checkW5: FlowCheck = ({ steps, facts }, report) => {
  for (const { step, place, label } of stepsOf(steps, 'call')) {
    const target = callTarget(step);
    if (target === undefined) continue;
    if (!isFilled(facts.toolSchemas)) {
      if (target.server !== BUILTIN) report.skip('tool_schemas');
      continue;
    }
    const name = `${target.server}:${target.tool}`;
    const required = entryOf(facts.toolSchemas, name)?.['required'];
    for (const argument of Array.isArray(required) ? required : []) {
      if (typeof argument !== 'string' || Object.hasOwn(step.args, argument)) continue;
      report.add({
        position: stepPosition(step, step.keys.has('call.args') ? 'call.args' : 'call'),
        step: place,
        message: `${label} calls ${name} without the argument ${quoted(argument)}, which the tool requires.`,
        hint: `Write ${argument}: ... under \`args\`.`,
      });
    }
  }
};
