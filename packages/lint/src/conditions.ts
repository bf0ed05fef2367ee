import { type Condition, parseCondition, type Step } from '@skillyard/engine';

/** A condition of a step, and the key it stands at. */
export interface PlacedCondition {
  readonly key: string;
  readonly condition: Condition;
}

/** The conditions a step evaluates: its `when` first. */
export function conditionsOf(step: Step): readonly PlacedCondition[] {
  const texts = [{ key: 'when', text: step.when }];
  if (step.kind === 'if') texts.push({ key: 'if.cond', text: step.cond });
  return texts.flatMap(({ key, text }) => {
    const parsed = text === '' ? undefined : parseCondition(text);
    return parsed?.ok === true ? [{ key, condition: parsed.condition }] : [];
  });
}
