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
 * - `refused`: the program declines to go on.
 * - `blocked`: the program cannot go on without something that only others can bring about.
 * - `requirement_failed`: the program could not prove what it requires of its own work.
 */
export const TurnStatus = Type.Enum([
  'completed',
  'exited',
  'denied',
  'failed',
  'cancelled',
  'refused',
  'blocked',
  'requirement_failed',
]);
export type TurnStatus = Static<typeof TurnStatus>;

/** An ending that a program chose before its work was done. It is no failure: nothing went wrong that it did not expect. */
export const TurnStop = Type.Object({
  status: Type.Enum(['refused', 'blocked', 'requirement_failed']),
  reason: Type.String(),
});
export type TurnStop = Static<typeof TurnStop>;

/** A claim that a program bound to evidence. */
export const Requirement = Type.Object({
  claim: Type.String({ minLength: 1 }),
  passed: Type.Boolean(),
  evidenceDigest: Type.Optional(
    Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'Of what the claim rests on.' }),
  ),
});
export type Requirement = Static<typeof Requirement>;

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
  exitReason: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why it ended before its work was done: said by an `exit` step, or by a program that stopped.',
  }),
  requirements: Type.Optional(
    Type.Array(Requirement, { description: 'Of a program: what it claimed, in order.' }),
  ),
  usage: TurnUsage,
});
export type TurnOutcome = Static<typeof TurnOutcome>;
