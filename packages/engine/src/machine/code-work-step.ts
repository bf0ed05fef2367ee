import { ACTION_CLASS, COMMAND_CLASS } from '@skillyard/contracts';
import { compileArguments } from '../flow/arguments.ts';
import { parseTemplate } from '../flow/template.ts';
import type { Cursor } from './cursor.ts';
import type { CodeCode, Program, StepCode } from './program.ts';
import type { CodeFrame, WorkDirective } from './records.ts';

/** Calls that a model may make in one step of the code: it does whole tasks, like a playbook. */
const MAX_CALLS = 32;
const MAX_TOOL_ERRORS = 8;
/** What is called on the class of commands. */
export const COMMAND_TOOL = 'run';

/** The tools a generation may use, of those that the skill lists: null stands for all of them. */
function toolsFor({ tools, sources }: Program, wanted: readonly string[] | null): readonly string[] | null {
  if (wanted === null) return tools;
  // A list that only the sources bound is narrowed when they have been resolved.
  if (sources?.alone === true || tools === null) return wanted;
  return wanted.filter((entry) => tools.includes(entry) || tools.includes(entry.split(':', 1)[0] ?? ''));
}

/** What the trace and the tool loop see of a piece of work. */
export function workStep(cursor: Cursor, step: CodeCode, frame: CodeFrame, wanted: WorkDirective): StepCode {
  const common = { ...step, name: wanted.step, label: wanted.step, traceName: wanted.step };
  switch (wanted.do) {
    case 'generate':
      return {
        ...common,
        kind: 'instruction',
        saveAs: wanted.step,
        onEmpty: 'continue',
        onEmptyValue: null,
        system: wanted.system,
        text: null,
        onServer: null,
        tools: toolsFor(cursor.program, wanted.tools),
        model: wanted.model,
        sampling: null,
        responseSchema: wanted.schema,
        oneOf: null,
        maxCalls: MAX_CALLS,
        maxToolErrors: MAX_TOOL_ERRORS,
        onEmptyRetries: 0,
        timeoutMs: 0,
        talk: {
          conversation: `${frame.path}.talk`,
          round: frame.talked,
          earlier: frame.generations[wanted.step] ?? 0,
        },
      };
    case 'act':
    case 'command':
      return {
        ...common,
        kind: 'call',
        onEmpty: 'continue',
        onEmptyValue: null,
        ...(wanted.do === 'act'
          ? { server: ACTION_CLASS, tool: wanted.action }
          : { server: COMMAND_CLASS, tool: COMMAND_TOOL }),
        onServer: null,
        args: compileArguments({}),
        timeoutMs: 0,
      };
    case 'ask':
      return {
        ...common,
        kind: 'ask',
        question: parseTemplate(''),
        options: [],
        timeoutMs: 0,
        onTimeout: 'fail',
        onTimeoutValue: parseTemplate(''),
      };
  }
}
