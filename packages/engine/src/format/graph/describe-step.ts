import type { FlowNode } from '@skillyard/contracts';
import { clip } from '../../flow/excerpt.ts';
import type { Step } from '../ast.ts';

/** What a node says. */
type NodeDescription = Pick<FlowNode, 'label' | 'text' | 'when' | 'notes'>;

/** What the node of a step says. */
export function describeStep(step: Step): NodeDescription {
  return {
    label: oneLine(step.name) || KINDS[step.kind],
    text: oneLine(textOf(step)),
    when: oneLine(step.when),
    notes: [...ownNotes(step), ...policies(step)].map(oneLine),
  };
}

/** What a step without a name is called. */
const KINDS: Readonly<Record<Step['kind'], string>> = {
  instruction: 'instruction',
  call: 'call',
  delegate: 'delegate',
  ask: 'question',
  set: 'set',
  switch: 'switch',
  if: 'if',
  for_each: 'for each',
  parallel: 'parallel',
  exit: 'exit',
};

/** The beginning of a text, as far as it fits on a line. */
export function oneLine(text: string): string {
  return clip(text.replaceAll(/\s+/g, ' ').trim());
}

function textOf(step: Step): string {
  switch (step.kind) {
    case 'instruction':
      return step.instruction;
    case 'call':
      return `${step.onServer || step.server}:${step.tool}`;
    case 'delegate':
      return step.skill;
    case 'ask':
      return step.question;
    case 'set':
      return `${step.variable} = ${step.value}`;
    case 'switch':
      return step.variable;
    case 'if':
      return step.cond;
    case 'for_each':
      return `${step.as} in ${step.in}`;
    case 'parallel':
      return `${step.branches.length} branches`;
    case 'exit':
      return step.reason;
  }
}

function ownNotes(step: Step): string[] {
  switch (step.kind) {
    case 'instruction':
      return [
        ...some(step.model !== '', `model: ${step.model}`),
        ...some(
          step.tools !== null,
          step.tools?.length === 0 ? 'no tools' : `tools: ${step.tools?.join(', ')}`,
        ),
        ...some(step.onServer !== '', `on_server: ${step.onServer}`),
        ...some(step.oneOf !== null, `one_of: ${step.oneOf?.join(', ')}`),
        ...some(step.responseSchema !== null, 'response_schema'),
        ...timeout(step.timeoutMs),
      ];
    case 'call':
    case 'delegate':
      return timeout(step.timeoutMs);
    case 'ask':
      return [
        ...some(step.options.length > 0, `options: ${step.options.map(({ value }) => value).join(', ')}`),
        ...timeout(step.timeoutMs),
        ...some(step.timeoutMs > 0 && step.onTimeout === 'use', `on_timeout: use "${step.onTimeoutValue}"`),
      ];
    case 'for_each':
      return [
        `max_iterations: ${step.maxIterations}`,
        ...some(step.concurrency > 0, `concurrency: ${step.concurrency}`),
        ...some(step.collect !== '', `collect: ${step.collect}`),
      ];
    case 'parallel':
      return some(step.collect !== '', `collect: ${step.collect}`);
    default:
      return [];
  }
}

/** What decides when something goes wrong, as far as it is not the default, and where the result goes. */
function policies(step: Step): string[] {
  return [
    ...('onEmpty' in step ? emptiness(step) : []),
    ...some(step.onError !== 'abort', `on_error: ${step.onError}`),
    ...some(step.saveAs !== '', `save_as: ${step.saveAs}`),
  ];
}

function emptiness(step: Extract<Step, { readonly onEmpty: unknown }>): string[] {
  switch (step.onEmpty) {
    case 'continue':
      return [];
    case 'fail':
      return ['on_empty: fail'];
    case 'retry':
      return [`on_empty: retry${step.kind === 'instruction' ? ` (${step.onEmptyRetries})` : ''}`];
    case 'use':
      return [`on_empty: use "${step.onEmptyValue}"`];
  }
}

function timeout(ms: number): string[] {
  const [unit, length] =
    ms % 3_600_000 === 0 ? ['h', 3_600_000] : ms % 60_000 === 0 ? ['m', 60_000] : ['s', 1000];
  return some(ms > 0, `timeout: ${ms / length}${unit}`);
}

function some(holds: boolean, note: string): string[] {
  return holds ? [note] : [];
}
