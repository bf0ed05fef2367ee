import { Type, type Static } from 'typebox';
import { Observation } from './code/directive.ts';
import type { JobId } from './ids.ts';
import { StepKind, StepOutcome } from './step-kind.ts';
import { TokenUsage } from './step-result.ts';
import { Requirement } from './turn-outcome.ts';
import { TurnRadius } from './turn-radius.ts';

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
export const TurnStarted = Type.Object({
  type: Type.Literal('turn.started'),
  atMs: Type.Integer(),
  radius: Type.Optional(TurnRadius),
});
export type TurnStarted = Static<typeof TurnStarted>;
export const TurnFinished = Type.Object({
  type: Type.Literal('turn.finished'),
  status: Type.String(),
  atMs: Type.Integer(),
});
export type TurnFinished = Static<typeof TurnFinished>;

/**
 * Something happened to a job on its way that its result does not tell.
 *
 * - `retried`: an attempt failed and another one follows.
 * - `lost`: its worker died while it ran, and it must not be started again.
 * - `taken-over`: its worker died while it ran, and another one starts it again.
 * - `late`: a worker finished it after another one had been given it; what it brought was dropped.
 * - `aborted`: it was stopped because nobody waited for it any more.
 */
export const JobNotice = Type.Enum(['retried', 'lost', 'taken-over', 'late', 'aborted']);
export type JobNotice = Static<typeof JobNotice>;

/** Told by whoever sees it, beside the rows of the trace: it may come after the turn has ended. */
export const JobNoticed = Type.Object({
  type: Type.Literal('job.noticed'),
  path: place.path,
  jobId: Type.Unsafe<JobId>(Type.String()),
  what: JobNotice,
  attempt: Type.Integer({ minimum: 1, description: 'The attempt it happened to.' }),
  reason: Type.String(),
  worker: Type.String({ description: 'The worker it happened to; empty in the local driver.' }),
  atMs: Type.Integer(),
});
export type JobNoticed = Static<typeof JobNoticed>;

/**
 * An operator let a turn that had failed go on from where it was before the result that ended it: with another result
 * for that job (`resolve`), or by running the job once more (`redrive`).
 */
export const TurnReopened = Type.Object({
  type: Type.Literal('turn.reopened'),
  by: Type.String({ description: 'Who asked for it.' }),
  jobId: Type.Unsafe<JobId>(Type.String({ description: 'The job whose result had ended the turn.' })),
  how: Type.Enum(['redrive', 'resolve']),
  voids: Type.Integer({
    minimum: 0,
    description: 'So many `step.finished` and `steps.discarded` events before it never happened.',
  }),
  atMs: Type.Integer(),
});
export type TurnReopened = Static<typeof TurnReopened>;

/** The code of a skill told its observers something: what they are for beyond the rows of the trace. */
export const StepObserved = Type.Object({
  type: Type.Literal('step.observed'),
  path: place.path,
  observation: Observation,
  atMs: Type.Integer(),
});
export type StepObserved = Static<typeof StepObserved>;

/** A program bound a claim to evidence. Told when the program ends: until then it may still be run again. */
export const RequirementChecked = Type.Object({
  type: Type.Literal('requirement.checked'),
  path: place.path,
  requirement: Requirement,
  atMs: Type.Integer(),
});
export type RequirementChecked = Static<typeof RequirementChecked>;

/** A question went to a person, or came back: answered, or not in time. */
export const QuestionEvent = Type.Object({
  type: Type.Enum(['question.asked', 'question.answered', 'question.expired']),
  path: place.path,
  jobId: Type.Unsafe<JobId>(Type.String()),
  atMs: Type.Integer(),
});
export type QuestionEvent = Static<typeof QuestionEvent>;

/** What happened to a turn, as it happens. */
export const TraceEvent = Type.Union([
  TurnStarted,
  StepStarted,
  StepFinished,
  StepsDiscarded,
  StepObserved,
  RequirementChecked,
  QuestionEvent,
  JobNoticed,
  TurnFinished,
  TurnReopened,
]);
export type TraceEvent = Static<typeof TraceEvent>;
