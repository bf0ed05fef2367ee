import { Type, type Static } from 'typebox';
import { StepKind, StepOutcome } from './step-kind.ts';
import { TokenUsage } from './step-result.ts';

const place = {
  path: Type.String({
    description: 'Path of the step instance, e.g. `3.i42.0`; sorts into the order of the flow.',
  }),
  name: Type.String({ description: "The step's name, or its kind when it has none." }),
  kind: StepKind,
  branch: Type.Boolean({ description: 'true inside a parallel branch: a notice, not a row of the flow.' }),
};

/** How a loop was walked, and why. */
export const LoopPlan = Type.Object({
  concurrency: Type.Integer({ minimum: 1 }),
  reason: Type.String({ description: 'Why the loop fans out or why it may not.' }),
});
export type LoopPlan = Static<typeof LoopPlan>;

/** A step began. Fires for skipped steps too. */
export const StepStarted = Type.Object({
  type: Type.Literal('step.started'),
  ...place,
  atMs: Type.Integer(),
});
export type StepStarted = Static<typeof StepStarted>;

/** A step ended: one row of the trace. */
export const StepFinished = Type.Object({
  type: Type.Literal('step.finished'),
  ...place,
  outcome: StepOutcome,
  reason: Type.String(),
  calls: Type.Integer(),
  callsFailed: Type.Integer(),
  startedAtMs: Type.Integer(),
  durationMs: Type.Integer(),
  usage: Type.Optional(TokenUsage),
  loop: Type.Optional(LoopPlan),
});
export type StepFinished = Static<typeof StepFinished>;

/** Rows below this path are void: an iteration that ran early and that the sequential run would not have reached. */
export const StepsDiscarded = Type.Object({
  type: Type.Literal('steps.discarded'),
  path: Type.String(),
  atMs: Type.Integer(),
});
export type StepsDiscarded = Static<typeof StepsDiscarded>;

/** A turn began or ended. */
export const TurnStarted = Type.Object({ type: Type.Literal('turn.started'), atMs: Type.Integer() });
export type TurnStarted = Static<typeof TurnStarted>;
export const TurnFinished = Type.Object({
  type: Type.Literal('turn.finished'),
  status: Type.String(),
  atMs: Type.Integer(),
});
export type TurnFinished = Static<typeof TurnFinished>;

/** What happened to a turn, as it happens. */
export const TraceEvent = Type.Union([TurnStarted, StepStarted, StepFinished, StepsDiscarded, TurnFinished]);
export type TraceEvent = Static<typeof TraceEvent>;
