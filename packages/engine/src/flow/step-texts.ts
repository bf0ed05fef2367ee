import type { Json } from '@skillyard/contracts';
import type { Step } from '../format/ast.ts';

/** A text of a step that is expanded at run time. */
interface StepText {
  /** Where it stands: `instruction`, `call.args`. */
  readonly key: string;
  readonly text: string;
}

/** The texts of a step that are expanded at run time, not those of the steps nested in it. */
export function stepTexts(step: Step): readonly StepText[] {
  switch (step.kind) {
    case 'instruction':
      return [
        { key: 'instruction', text: step.instruction },
        { key: 'on_server', text: step.onServer },
        { key: 'on_empty_value', text: step.onEmptyValue },
      ];
    case 'call':
      return [
        { key: 'on_server', text: step.onServer },
        { key: 'call.on_empty_value', text: step.onEmptyValue },
        ...stringsIn(step.args).map((text) => ({ key: 'call.args', text })),
      ];
    case 'delegate':
      return [
        { key: 'delegate.task', text: step.task },
        { key: 'delegate.on_empty_value', text: step.onEmptyValue },
      ];
    case 'ask':
      return [
        { key: 'ask.question', text: step.question },
        { key: 'ask.on_timeout_value', text: step.onTimeoutValue },
        ...step.options.map(({ label }) => ({ key: 'ask.options', text: label })),
      ];
    case 'set':
      return [{ key: 'set.value', text: step.value }];
    case 'exit':
      return [{ key: 'exit.reason', text: step.reason }];
    default:
      return [];
  }
}

/** Every string in a value, however deep; keys are not among them. */
export function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner));
}
