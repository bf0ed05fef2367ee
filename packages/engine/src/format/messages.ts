import type { Located } from './field.ts';
import type { Report, ValidationCode } from './report.ts';
import type { RawStep } from './shapes.ts';

/** Where a key stands, or the mapping it is missing from. */
export function offsetOf(block: Located, key: string): number {
  return block.node.entries.get(key)?.keyOffset ?? block.node.offset;
}

/** What is wrong with a step: the message begins with the step, so the text goes on as `Step "a": ...`. */
export interface StepProblem {
  readonly code: ValidationCode;
  readonly says: string;
  readonly hint: string;
  /** The key it is about, in the step's mapping or in the given block of it. */
  readonly key: string;
  readonly block?: Located;
}

/** Reports a problem of one step. */
export function refuseStep(
  step: RawStep,
  { code, says, hint, key, block }: StepProblem,
  report: Report,
): void {
  const { label } = step.place;
  report.add({
    code,
    message: `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${says}`,
    hint,
    offset: offsetOf(block ?? step, key),
    step: step.place.step,
  });
}
