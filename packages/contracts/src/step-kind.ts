import { Type, type Static } from 'typebox';

/** The kinds of step a flow is made of. */
export const StepKind = Type.Enum([
  'instruction',
  'call',
  'delegate',
  'set',
  'switch',
  'if',
  'for_each',
  'parallel',
  'exit',
  'ask',
  'code',
]);
export type StepKind = Static<typeof StepKind>;

/** What became of a step. `degraded` and `truncated` went on, but somebody should look. */
export const StepOutcome = Type.Enum(['ok', 'degraded', 'skipped', 'denied', 'error', 'exit', 'truncated']);
export type StepOutcome = Static<typeof StepOutcome>;
