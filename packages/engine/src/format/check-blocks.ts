import { isBlank } from '../flow/white-space.ts';
import { parseCondition } from '../flow/condition.ts';
import { splitToolRef } from '../flow/tool-ref.ts';
import { checkEmptyPolicy, refuseRetryOfCall } from './check-empty.ts';
import { checkTimeout } from './check-timeout.ts';
import type { Located } from './field.ts';
import { refuseStep, type StepProblem } from './messages.ts';
import { ERROR_POLICY_HINT, errorPolicyOf, MAX_CONCURRENCY } from './policies.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { RawStep } from './shapes.ts';

/** The checks of one block each, without the steps nested in it (spec section 14). */

type Check = (step: RawStep, report: Report) => void;

export const checkSwitch: Check = (step, report) => {
  if (step.switch)
    requireText(step, step.switch, ['switch', 'var', 'Name the variable to look at: var: kind.'], report);
};

export const checkIf: Check = (step, report) => {
  if (step.if) checkCondition(step, { block: step.if, key: 'cond', text: step.if.cond }, report);
};

export const checkSet: Check = (step, report) => {
  if (step.set) requireText(step, step.set, ['set', 'var', 'Name the variable to set: var: kind.'], report);
};

export const checkCall: Check = (step, report) => {
  const { call } = step;
  if (!call) return;
  checkToolRef(step, call, report);
  checkOnError(step, call, report);
  checkEmptyPolicy(step, call, report);
  refuseRetryOfCall(step, call, report);
  checkTimeout(step, call, report);
};

function checkToolRef(step: RawStep, call: NonNullable<RawStep['call']>, report: Report): void {
  const refuse = (says: string, hint: string): void =>
    refuseStep(step, { code: 'TOOL_INVALID', says, hint, key: 'tool', block: call }, report);
  const ref = splitToolRef(call.tool);
  if (!isBlank(step.on_server)) {
    if (isBlank(ref?.tool ?? call.tool)) {
      refuse(
        `\`call.tool\` is ${quoted(call.tool)}, which names no tool.`,
        'Name the tool to call on that server.',
      );
    }
  } else if (ref === undefined) {
    const says = `\`call.tool\` is ${quoted(call.tool)}, which does not say on which server the tool is.`;
    refuse(says, 'Write it as "server:tool", or name the server as `on_server` on the step.');
  } else if (isBlank(ref.server) || isBlank(ref.tool)) {
    const says = `\`call.tool\` is ${quoted(call.tool)}, which has no ${isBlank(ref.server) ? 'server before' : 'tool after'} the colon.`;
    refuse(says, 'Write it as "server:tool".');
  }
}

export const checkDelegate: Check = (step, report) => {
  const { delegate } = step;
  if (!delegate) return;
  requireText(step, delegate, ['delegate', 'skill', 'Name the skill that does the work.'], report);
  requireText(
    step,
    delegate,
    ['delegate', 'task', 'Say what the other skill is to do; {{name}} works there.'],
    report,
  );
  checkOnError(step, delegate, report);
  checkTimeout(step, delegate, report);
};

export const checkForEach: Check = (step, report) => {
  const loop = step.for_each;
  if (!loop) return;
  requireText(step, loop, ['for_each', 'in', 'Name the variable that holds the items: in: rows.'], report);
  if (loop.in.includes('{{')) {
    const says = `\`for_each.in\` is ${quoted(loop.in)}, and takes the name of a variable, not a template.`;
    refuseStep(
      step,
      { code: 'LOOP_IN_IS_TEMPLATE', says, hint: 'Write the name without braces.', key: 'in', block: loop },
      report,
    );
  }
  requireText(step, loop, ['for_each', 'as', 'Name the variable that receives each item: as: row.'], report);
  const ceiling = loop.max_iterations ?? 0;
  if (ceiling < 0) {
    const says = `\`max_iterations\` is ${ceiling}, below 0.`;
    const hint = 'Write the highest number of items to walk, or 0 for the default.';
    refuseStep(step, { code: 'NUMBER_OUT_OF_RANGE', says, hint, key: 'max_iterations', block: loop }, report);
  }
  const { concurrency } = loop;
  if (concurrency !== null && (concurrency < 1 || concurrency > MAX_CONCURRENCY)) {
    const says = `\`concurrency\` is ${concurrency}, outside 1 to ${MAX_CONCURRENCY}.`;
    const hint = 'Write how many iterations may run at once; 1 is one after the other.';
    refuseStep(step, { code: 'NUMBER_OUT_OF_RANGE', says, hint, key: 'concurrency', block: loop }, report);
  }
  checkOnError(step, loop, report);
};

export const checkParallel: Check = (step, report) => {
  const { parallel } = step;
  if (!parallel) return;
  const branches = (parallel.branches ?? []).length;
  if (branches < 2) {
    const says = `\`parallel\` has ${branches === 0 ? 'no branches' : 'one branch'}, and needs two at least.`;
    const hint = 'Write each branch as a list of steps: branches: [[...], [...]].';
    refuseStep(
      step,
      { code: 'PARALLEL_TOO_FEW_BRANCHES', says, hint, key: 'branches', block: parallel },
      report,
    );
  }
  checkOnError(step, parallel, report);
};

/** A condition of a step: its `when`, or the `cond` of its `if`. */
interface ConditionText {
  readonly block: Located;
  readonly key: 'when' | 'cond';
  readonly text: string;
}

/** Checks that a condition parses (spec section 5). */
export function checkCondition(step: RawStep, { block, key, text }: ConditionText, report: Report): void {
  const parsed = parseCondition(text);
  if (parsed.ok) return;
  const name = key === 'cond' ? 'if.cond' : key;
  const says = isBlank(text)
    ? `\`${name}\` is missing.`
    : `\`${name}\` ${quoted(text)} is no condition: ${parsed.message}`;
  const hint =
    'Compare a variable: kind == audit, rows is not empty, input contains dessert | drink, n.total >= 10.';
  refuseStep(step, { code: 'CONDITION_INVALID', says, hint, key, block }, report);
}

/** Checks an `on_error`, on the step or inside one of its blocks. */
export function checkOnError(
  step: RawStep,
  block: Located & { readonly on_error: string },
  report: Report,
): void {
  if (errorPolicyOf(block.on_error) !== undefined) return;
  const says = `\`on_error\` is ${quoted(block.on_error)}, which does not exist.`;
  refuseStep(
    step,
    { code: 'ON_ERROR_UNKNOWN', says, hint: ERROR_POLICY_HINT, key: 'on_error', block },
    report,
  );
}

/** Refuses a block that lacks a text it cannot do without. */
export function requireText<K extends string>(
  step: RawStep,
  block: Located & { readonly [P in K]: string },
  [kind, key, hint]: readonly [kind: string, key: K, hint: string],
  report: Report,
): void {
  if (!isBlank(block[key])) return;
  const problem: StepProblem = {
    code: 'FIELD_MISSING',
    says: `\`${kind}.${key}\` is missing or blank.`,
    hint,
    key,
    block,
  };
  refuseStep(step, problem, report);
}
