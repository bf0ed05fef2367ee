import { isBlank } from '../flow/white-space.ts';
import { checkAsk } from './check-ask.ts';
import {
  checkCall,
  checkCondition,
  checkDelegate,
  checkForEach,
  checkIf,
  checkOnError,
  checkParallel,
  checkSet,
  checkSwitch,
} from './check-blocks.ts';
import { checkEmptyPolicy, checkEmptyRetries } from './check-empty.ts';
import { misplacedSampling, SAMPLING_HINT } from './check-sampling.ts';
import { checkTimeout } from './check-timeout.ts';
import { refuseStep } from './messages.ts';
import { nestedRawLists } from './raw-nesting.ts';
import type { Report } from './report.ts';
import { BLOCK_KINDS, type RawStep } from './shapes.ts';

/**
 * Checks folded steps in the order of spec section 14: depth first, a step's children before its own `when` and before
 * counting actions.
 */
export function checkSteps(steps: readonly RawStep[], report: Report): void {
  for (const step of steps) {
    checkEnvelope(step, report);
    if (!isBlank(step.instruction)) checkInstruction(step, report);
    checkSchemaModel(step, report);
    for (const check of BLOCK_CHECKS) check(step, report);
    for (const list of nestedRawLists(step)) checkSteps(list, report);
    if (step.when !== '') checkCondition(step, { block: step, key: 'when', text: step.when }, report);
    countActions(step, report);
  }
}

const BLOCK_CHECKS = [
  checkSwitch,
  checkIf,
  checkSet,
  checkCall,
  checkDelegate,
  checkAsk,
  checkForEach,
  checkParallel,
] as const;

/** What is checked whatever the step does. */
function checkEnvelope(step: RawStep, report: Report): void {
  const misplaced = misplacedSampling(step);
  if (misplaced[0] !== undefined) {
    const says = `${misplaced.map((key) => `\`${key}\``).join(', ')} must stand inside \`sampling\`.`;
    refuseStep(step, { code: 'SAMPLING_MISPLACED', says, hint: SAMPLING_HINT, key: misplaced[0] }, report);
  }
  checkOnError(step, step, report);
}

function checkInstruction(step: RawStep, report: Report): void {
  const maxCalls = step.max_calls ?? 0;
  if (maxCalls < 0) {
    const says = `\`max_calls\` is ${maxCalls}, below 0.`;
    const hint = 'Write the highest number of tool calls, or 0 for the default.';
    refuseStep(step, { code: 'NUMBER_OUT_OF_RANGE', says, hint, key: 'max_calls' }, report);
  }
  checkEmptyPolicy(step, step, report);
  checkEmptyRetries(step, report);
  checkTimeout(step, step, report);
}

/** A schema needs a named model: whichever the default happens to be would decide whether it is enforced at all. */
function checkSchemaModel(step: RawStep, report: Report): void {
  if (step.model !== '' || step.response_schema === null || Object.keys(step.response_schema).length === 0)
    return;
  const says = '`response_schema` needs a `model` beside it, and there is none.';
  const hint = 'Name a model that enforces a schema, on the step or in its profile.';
  refuseStep(step, { code: 'SCHEMA_WITHOUT_MODEL', says, hint, key: 'response_schema' }, report);
}

function countActions(step: RawStep, report: Report): void {
  const actions: string[] = BLOCK_KINDS.filter((kind) => step[kind] !== null);
  if (!isBlank(step.instruction)) actions.unshift('instruction');
  if (actions.length === 0) {
    const says = 'it does nothing.';
    const hint = `Give it one of: instruction, ${BLOCK_KINDS.join(', ')}.`;
    refuseStep(step, { code: 'STEP_NO_ACTION', says, hint, key: '' }, report);
  } else if (actions.length > 1) {
    const says = `it has several actions: ${actions.join(', ')}.`;
    const hint = 'A step does one thing. Write a step for each.';
    refuseStep(step, { code: 'STEP_SEVERAL_ACTIONS', says, hint, key: actions[1] ?? '' }, report);
  }
}
