import {
  conditionReferences,
  parseReference,
  parseTemplate,
  type Reference,
  type Step,
  stepTexts,
} from '@skillyard/engine';
import { conditionsOf } from './conditions.ts';

/** A reference that a step reads. */
export interface Read {
  readonly reference: Reference;
  /** As the step writes it: a template's in braces. */
  readonly spelling: string;
  /** The key it stands at. */
  readonly key: string;
}

/**
 * What a step itself reads, each spelling once. The reason of an exit is not read (spec section 15).
 * @param conditions those of the step, for who has them at hand
 */
export function readsOf(step: Step, conditions = conditionsOf(step)): readonly Read[] {
  const reads = new Map<string, Read>();
  const add = (reference: Reference | undefined, spelling: string, key: string): void => {
    if (reference !== undefined && !reads.has(spelling)) reads.set(spelling, { reference, spelling, key });
  };
  for (const { key, condition } of conditions) {
    for (const reference of conditionReferences(condition)) add(reference, reference.text, key);
  }
  if (step.kind === 'for_each') add(parseReference(step.in), step.in, 'for_each.in');
  if (step.kind === 'switch') add(parseReference(step.variable), step.variable, 'switch.var');
  for (const { key, text } of step.kind === 'exit' ? [] : stepTexts(step)) {
    for (const part of parseTemplate(text).parts) {
      if (typeof part !== 'string' && 'ref' in part) add(part.ref, `{{${part.ref.text}}}`, key);
    }
  }
  return [...reads.values()];
}
