import type { Json } from '@skillyard/contracts';
import { quoted } from '@skillyard/engine';
import { isComputed } from '../call-target.ts';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** W10: a `from` inside arguments with a template that is no handle. An argument may be called `from` itself. */
export const checkW10: FlowCheck = ({ steps }, report) => {
  for (const { step, place, label } of stepsOf(steps, 'call')) {
    for (const from of Object.values(step.args).flatMap((value) => fromsIn(value))) {
      if (!isComputed(from) || from.endsWith('.mem}}')) continue;
      report.add({
        position: stepPosition(step, 'call.args'),
        step: place,
        message: `${label} passes from: ${quoted(from)}, which is a value and no handle.`,
        hint: 'Name the handle of the variable, without blanks: from: "{{name.mem}}". To pass the value itself, leave `from` out.',
      });
    }
  }
};

function fromsIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => fromsIn(item));
  const { from } = value;
  const inner = Object.values(value).flatMap((item) => fromsIn(item));
  return typeof from === 'string' ? [from, ...inner] : inner;
}
