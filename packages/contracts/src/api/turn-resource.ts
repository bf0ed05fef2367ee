import { Type, type Static } from 'typebox';
import type { JobId, TurnId } from '../ids.ts';
import { JsonObject } from '../json.ts';
import { StepError, StepStatus, TokenUsage } from '../step-result.ts';
import { TurnOutcome, TurnStatus } from '../turn-outcome.ts';
import { Tenant } from './access.ts';
import { EPOCH_MS } from './epoch-ms.ts';
import { Labels, TurnPriority } from './turn-origin.ts';

const id = Type.Unsafe<TurnId>(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }));
const jobId = Type.Unsafe<JobId>(Type.String());
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** The skill of a turn: one that the installation has, or its text. */
export const SkillChoice = Type.Union([
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      version: Type.Optional(
        Type.String({
          maxLength: 100,
          description: '`skill_version`, or the hash of a version; the current one when absent.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      text: Type.String({ minLength: 1, description: 'The source of a skill, at most 1 MiB.' }),
      file: Type.Optional(Type.String({ maxLength: 200, description: 'What messages call it.' })),
    },
    { additionalProperties: false },
  ),
]);
export type SkillChoice = Static<typeof SkillChoice>;

/** What is asked for when a turn is submitted. */
export const TurnRequestBody = Type.Object(
  {
    skill: SkillChoice,
    input: Type.Optional(Type.String({ description: 'The request, as the variable `input`.' })),
    vars: Type.Optional(
      Type.Record(Type.String({ pattern: '^.{0,200}$' }), Type.String(), { additionalProperties: false }),
    ),
    mode: Type.Optional(Type.Enum(['workflow', 'playbook', 'code'])),
    fanOut: Type.Optional(Type.Enum(['auto', 'off'])),
    labels: Type.Optional(Labels),
    priority: Type.Optional(TurnPriority),
    deadlineMs: Type.Optional(
      Type.Integer({
        ...EPOCH_MS,
        description: 'It is cancelled when it has not ended by then; ms since the epoch.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Told when it ends; an address that the configuration allows.',
      }),
    ),
    tenant: Type.Optional(Tenant),
  },
  { additionalProperties: false },
);
export type TurnRequestBody = Static<typeof TurnRequestBody>;

/** Where a turn stands. `queued`: no orchestrator has started it yet. */
export const TurnState = Type.Union([Type.Enum(['queued', 'running']), TurnStatus]);
export type TurnState = Static<typeof TurnState>;

/** A turn in a list. */
export const TurnSummary = Type.Object({
  turnId: id,
  tenant: Tenant,
  status: TurnState,
  skill: Type.String({ description: 'Name of the skill; of a text, what its messages call it.' }),
  skillHash: Type.String(),
  submittedBy: Type.String(),
  submittedAtMs: Type.Integer(),
  startedAtMs: orNull(Type.Integer()),
  endedAtMs: orNull(Type.Integer()),
  labels: Labels,
  priority: TurnPriority,
  parent: orNull(jobId),
  waiting: Type.Integer({
    minimum: 0,
    description: 'Steps of it that wait for the answer of a person; see its questions.',
  }),
  error: orNull(StepError),
});
export type TurnSummary = Static<typeof TurnSummary>;

/** A turn. */
export const TurnResource = Type.Object({
  ...TurnSummary.properties,
  deadlineMs: orNull(Type.Integer()),
  outcome: orNull(TurnOutcome),
  traceId: orNull(Type.String({ description: 'Of its trace, where telemetry is on.' })),
});
export type TurnResource = Static<typeof TurnResource>;

/** Which turns are listed. */
export const TurnQuery = Type.Object(
  {
    status: Type.Optional(Type.Array(TurnState, { description: 'Any of these.' })),
    skill: Type.Optional(Type.String({ maxLength: 200 })),
    label: Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), {
        maxItems: 10,
        description: '`name=value`; all of them.',
      }),
    ),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of an id, a skill or a label.' })),
    submittedAfterMs: Type.Optional(Type.Integer(EPOCH_MS)),
    submittedBeforeMs: Type.Optional(Type.Integer(EPOCH_MS)),
    tenant: Type.Optional(Tenant),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  { additionalProperties: false },
);
export type TurnQuery = Static<typeof TurnQuery>;

/** Turns, the one submitted last first. */
export const TurnPage = Type.Object({
  turns: Type.Array(TurnSummary),
  next: orNull(
    Type.String({
      description:
        'The cursor of the next page; null after the last one. A page may have fewer turns than asked for, even none, and still a next: one request looks at some thousand turns at most.',
    }),
  ),
});
export type TurnPage = Static<typeof TurnPage>;

export const CancelBody = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 500 })) },
  { additionalProperties: false },
);
export type CancelBody = Static<typeof CancelBody>;

/** Whether a cancellation was asked for; false for a turn that had ended before. */
export const CancelReply = Type.Object({ cancelled: Type.Boolean() });
export type CancelReply = Static<typeof CancelReply>;

/** What a step job was given and what it gave, where the configuration keeps a history. Long texts are cut. */
export const TurnJob = Type.Object({
  jobId,
  path: Type.String(),
  step: Type.String(),
  kind: Type.Enum(['generate', 'call', 'delegate', 'ask', 'decide', 'asset', 'memory']),
  target: Type.String({ description: '`server:tool`, a model, a skill.' }),
  status: orNull(StepStatus),
  input: JsonObject,
  output: Type.String(),
  calls: Type.Array(JsonObject, { description: 'Tool calls that a generation asked for.' }),
  error: orNull(StepError),
  usage: orNull(TokenUsage),
  attempts: orNull(Type.Integer()),
  worker: orNull(Type.String()),
  startedAtMs: orNull(Type.Integer()),
  endedAtMs: orNull(Type.Integer()),
  child: orNull(Type.Unsafe<TurnId>(Type.String({ description: 'The turn that answered a delegation.' }))),
  truncated: Type.Boolean({ description: 'Something was cut.' }),
});
export type TurnJob = Static<typeof TurnJob>;

export const TurnJobs = Type.Object({
  kept: Type.Boolean({ description: 'Whether the installation keeps them at all.' }),
  jobs: Type.Array(TurnJob),
  more: Type.Integer({ minimum: 0, description: 'Jobs that are not among them.' }),
});
export type TurnJobs = Static<typeof TurnJobs>;
