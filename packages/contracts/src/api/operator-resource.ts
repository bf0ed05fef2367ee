import { Type, type Static } from 'typebox';
import type { JobId, TurnId } from '../ids.ts';
import { TurnState } from './turn-resource.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** Why one job of a turn is not done. */
const JobExplanation = Type.Object({
  jobId: Type.Unsafe<JobId>(Type.String()),
  path: Type.String(),
  step: Type.String(),
  kind: Type.String(),
  target: Type.String({
    description: '`server:tool`, a model, a skill, an asset; empty for the default model.',
  }),
  queue: orNull(Type.String({ description: 'null when no queue is involved.' })),
  hold: Type.String({ description: 'What holds it, in a word.' }),
  why: Type.String({ description: 'A sentence.' }),
  ahead: orNull(Type.Integer({ description: 'Jobs that are taken before it; null when that is not known.' })),
  sinceMs: orNull(Type.Integer({ description: 'Since when it is held so; ms since the epoch.' })),
  attempts: Type.Integer({ description: 'So far, the one under way included.' }),
  nextAttemptAtMs: orNull(Type.Integer()),
  lastCode: orNull(Type.String({ description: 'What the last attempt failed with.' })),
  worker: orNull(Type.String({ description: 'The one that runs it.' })),
  child: orNull(Type.Unsafe<TurnId>(Type.String({ description: 'The turn that answers it.' }))),
});

/** Why a turn has not ended, or that it has. */
export const TurnExplanation = Type.Object({
  turnId: Type.Unsafe<TurnId>(Type.String()),
  status: TurnState,
  why: Type.String({ description: 'A sentence.' }),
  ahead: orNull(Type.Integer({ description: 'Queued: turns of its shard that are started before it.' })),
  orchestrators: Type.Integer(),
  jobs: Type.Array(JobExplanation),
  moreJobs: Type.Integer(),
});
export type TurnExplanation = Static<typeof TurnExplanation>;

/** A job whose last result was a failure. Holds no arguments and no answers. */
export const FailedJobResource = Type.Object({
  jobId: Type.Unsafe<JobId>(Type.String()),
  path: Type.String(),
  step: Type.String(),
  kind: Type.String(),
  target: Type.String(),
  queue: Type.String(),
  status: Type.String(),
  code: Type.String(),
  message: Type.String(),
  atMs: Type.Integer(),
  worker: orNull(Type.String()),
  attempts: orNull(Type.Integer()),
});
export type FailedJobResource = Static<typeof FailedJobResource>;

export const FailedJobPage = Type.Object({
  jobs: Type.Array(FailedJobResource),
  next: orNull(Type.String()),
});
export type FailedJobPage = Static<typeof FailedJobPage>;

/** A failed job, with what can be done about it. */
export const InspectedJobResource = Type.Object({
  jobId: Type.Unsafe<JobId>(Type.String()),
  job: orNull(FailedJobResource),
  turnStatus: orNull(TurnState),
  notRedrivable: orNull(Type.String({ description: 'Why it cannot be run again; null when it can.' })),
  notResolvable: orNull(Type.String({ description: 'Why its turn cannot be reopened at all.' })),
});
export type InspectedJobResource = Static<typeof InspectedJobResource>;

/** What a person decides about a failed job: it gave this text, or it is run again whatever that repeats. */
export const ResolveBody = Type.Union([
  Type.Object({ text: Type.String() }, { additionalProperties: false }),
  Type.Object({ rerun: Type.Literal(true) }, { additionalProperties: false }),
]);
export type ResolveBody = Static<typeof ResolveBody>;

/** The turns that run again. */
export const ReopenedTurns = Type.Object({ turnIds: Type.Array(Type.Unsafe<TurnId>(Type.String())) });
export type ReopenedTurns = Static<typeof ReopenedTurns>;

/** What became of the failed jobs of a class. */
export const RedriveReport = Type.Object({
  redriven: Type.Array(Type.Unsafe<JobId>(Type.String())),
  refused: Type.Array(Type.Object({ jobId: Type.Unsafe<JobId>(Type.String()), reason: Type.String() })),
});
export type RedriveReport = Static<typeof RedriveReport>;

/** The queue of one class of workers. Counts are those of all tenants. */
export const QueueResource = Type.Object({
  class: Type.String(),
  paused: Type.Boolean(),
  waiting: Type.Integer({
    description: 'Jobs no worker has taken, those that wait for the share of their tenant included.',
  }),
  delayed: Type.Integer({ description: 'Jobs that wait for another attempt.' }),
  active: Type.Integer(),
  failed: Type.Integer({ description: 'Failed jobs that are remembered.' }),
  workers: Type.Integer(),
  concurrency: orNull(
    Type.Integer({ description: 'The most jobs at once, over all workers; null for no limit.' }),
  ),
  rateLimitedForMs: Type.Integer(),
  donePerMinute: Type.Number({ description: 'Jobs that were finished in the last minute.' }),
});
export type QueueResource = Static<typeof QueueResource>;

export const QueueList = Type.Object({ queues: Type.Array(QueueResource) });
export type QueueList = Static<typeof QueueList>;
