import type { JsonObject } from '@skillyard/contracts';
import type { StepOf } from '@skillyard/engine';
import { type PlacedStep, stepsOf } from './subject.ts';

/** A step whose answer has a schema. */
export interface SchemaStep {
  readonly placed: PlacedStep<StepOf<'instruction'>>;
  readonly schema: JsonObject;
  /** The variable that the answer goes to. */
  readonly variable: string;
}

/** The steps with a response schema, in document order. */
export function schemaSteps(steps: readonly PlacedStep[]): readonly SchemaStep[] {
  return stepsOf(steps, 'instruction').flatMap((placed) => {
    const { responseSchema: schema, saveAs } = placed.step;
    return schema === null ? [] : [{ placed, schema, variable: saveAs || 'answer' }];
  });
}
