import { Type, type Static } from 'typebox';
import { StepError } from './step-result.ts';

/**
 * How a turn ended.
 *
 * - `completed`: the flow reached its end.
 * - `exited`: an `exit` step left it; not a failure, the request was not this skill's.
 * - `denied`: a permission refusal stopped it.
 * - `failed`: an error stopped it, or it was refused before its first step.
 * - `cancelled`: somebody or a deadline stopped it.
 */
export const TurnStatus = Type.Enum(['completed', 'exited', 'denied', 'failed', 'cancelled']);
export type TurnStatus = Static<typeof TurnStatus>;

/** What a turn used, added up over its steps. */
export const TurnUsage = Type.Object({
  generations: Type.Integer(),
  calls: Type.Integer(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
});
export type TurnUsage = Static<typeof TurnUsage>;

/** The result of a turn. */
export const TurnOutcome = Type.Object({
  status: TurnStatus,
  vars: Type.Record(Type.String(), Type.String(), { description: 'Every variable a step wrote.' }),
  answer: Type.String({ description: 'The variable `answer`, empty when nothing wrote it.' }),
  answeredBy: Type.Enum(['', 'instruction', 'call', 'delegate', 'ask', 'code']),
  skipped: Type.Array(Type.String(), {
    description: 'Names of the steps whose `when` was false, in the order met.',
  }),
  error: Type.Union([StepError, Type.Null()]),
  exitReason: Type.Union([Type.String(), Type.Null()]),
  usage: TurnUsage,
});
export type TurnOutcome = Static<typeof TurnOutcome>;
