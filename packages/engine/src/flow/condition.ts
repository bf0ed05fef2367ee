/**
 * Evaluating conditions (spec section 5). A condition reads whole values without notes; a path that leads nowhere and
 * a comparison with something that is no number are failures of the step, not false.
 */
import { SkillyardError } from '@skillyard/contracts';
import type { Comparison, Condition, Operand } from './condition-grammar.ts';
import { namesAny } from './contains-word.ts';
import type { Environment } from './environment.ts';
import { excerpt } from './excerpt.ts';
import { isFailureNote } from './notes.ts';
import { compareNumerals, type Numeral, parseNumeral } from './number.ts';
import { readWholeReference, type Whole } from './payload.ts';
import type { Reference } from './reference.ts';
import { isBlank, trimSpace } from './white-space.ts';

export { type Condition, parseCondition } from './condition-grammar.ts';

/**
 * Evaluates a condition.
 * While a value it needs is not there yet the answer means nothing, but it is an answer: only what is known fails.
 * @throws SkillyardError REFERENCE_UNRESOLVED if a path leads nowhere where that is an error
 * @throws SkillyardError CONDITION_FAILED if a side of a numeric comparison is no number
 */
export function evaluateCondition(condition: Condition, env: Environment): boolean {
  const left = readWholeReference(condition.left, env);
  switch (condition.form) {
    case 'empty':
      return (isBlank(left.text) || isFailureNote(left.text)) !== condition.negated;
    case 'contains':
      return namesAny(left.text, condition.sought) !== condition.negated;
    case 'equals':
      return (trimSpace(left.text) === condition.value) !== condition.negated;
    case 'compare':
      return compare(condition, condition.right, left, env);
  }
}

/**
 * The names a condition depends on, as it spells them, in the order in which it reads them.
 * Whoever reads a description asks here instead of knowing the grammar a second time.
 */
export function conditionVariables(condition: Condition): string[] {
  return conditionReferences(condition).map((reference) => reference.text);
}

/** The references a condition reads, in the order in which it reads them. */
export function conditionReferences(condition: Condition): readonly Reference[] {
  return condition.form === 'compare' && 'ref' in condition.right
    ? [condition.left, condition.right.ref]
    : [condition.left];
}

/** The alternatives a `contains` condition looks for; undefined for every other form. */
export function conditionWords(condition: Condition): string[] | undefined {
  return condition.form === 'contains' ? [...condition.words] : undefined;
}

type Compare = Extract<Condition, { readonly form: 'compare' }>;

function compare(condition: Compare, right: Operand, left: Whole, env: Environment): boolean {
  if ('number' in right) {
    return (
      !left.pending && holds(condition.operator, toNumeral(condition.left, left, condition), right.number)
    );
  }
  // Both sides are read before either is judged, so that one pass notes every need.
  const other = readWholeReference(right.ref, env);
  if (left.pending || other.pending) return false;
  return holds(
    condition.operator,
    toNumeral(condition.left, left, condition),
    toNumeral(right.ref, other, condition),
  );
}

function toNumeral(reference: Reference, value: Whole, condition: Condition): Numeral {
  const numeral = parseNumeral(trimSpace(value.text));
  if (numeral !== undefined) return numeral;
  const what = isBlank(value.text) ? 'empty' : excerpt(trimSpace(value.text));
  throw new SkillyardError(
    'CONDITION_FAILED',
    `The condition ${excerpt(condition.source)} cannot be evaluated: ${reference.text} is ${what}, which is not a number.`,
    { details: { condition: condition.source, reference: reference.text } },
  );
}

function holds(operator: Comparison, left: Numeral, right: Numeral): boolean {
  const order = compareNumerals(left, right);
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}
