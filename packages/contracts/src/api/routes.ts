import { Type, type TSchema } from 'typebox';
import type { ErrorCode } from '../error/catalogue.ts';
import { TraceEvent } from '../trace-event.ts';
import { TurnOutcome } from '../turn-outcome.ts';
import {
  ApiKeyList,
  ApiKeyRequest,
  type ApiScope,
  AuditPage,
  Caller,
  CreatedApiKey,
  Tenant,
} from './access.ts';
import {
  FailedJobPage,
  InspectedJobResource,
  QueueList,
  QueueResource,
  RedriveReport,
  ReopenedTurns,
  ResolveBody,
  TurnExplanation,
} from './operator-resource.ts';
import { AnswerBody, AnswerReply, QuestionList, QuestionPage } from './question-resource.ts';
import { Schedule, ScheduleBody, ScheduleList } from './schedule-resource.ts';
import {
  SkillCheck,
  SkillList,
  SkillResource,
  SkillSummary,
  SkillText,
  SkillVersionList,
} from './skill-resource.ts';
import {
  CancelBody,
  CancelReply,
  TurnJobs,
  TurnPage,
  TurnQuery,
  TurnRequestBody,
  TurnResource,
} from './turn-resource.ts';

/** One operation of the HTTP API. The server, its document, the client and the tests of access are made from these. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  /** What a caller needs; null: being known is enough. */
  readonly scope: ApiScope | null;
  readonly tag: 'turns' | 'questions' | 'jobs' | 'queues' | 'skills' | 'schedules' | 'access';
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The header that makes a repeat harmless is understood. */
  readonly idempotent?: true;
  /** `stream`: server-sent events, the data of each being of this schema. */
  readonly reply: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema: TSchema | null;
    readonly stream?: true;
  };
  /** Codes of problems besides those of every route. */
  readonly problems?: readonly ErrorCode[];
  /** Whether the audit log gets a line. */
  readonly audited?: true;
}

const turn = Type.Object({ turnId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) });
const job = Type.Object({
  jobId: Type.String({ maxLength: 500, pattern: '^[A-Za-z0-9_-]{1,64}\\.[A-Za-z0-9_.-]+$' }),
});
const workerClass = Type.Object({ class: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,49}$' }) });
const skill = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) });
const schedule = Type.Object({ scheduleId: Schedule.properties.scheduleId });
const key = Type.Object({ keyId: Type.String({ pattern: '^[A-Za-z0-9]{1,40}$' }) });
const page = {
  // One of failed jobs holds the id of a job.
  cursor: Type.Optional(Type.String({ maxLength: 600 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
};
const strict = { additionalProperties: false };
/** For callers that act for all tenants. */
const ofTenant = Type.Object({ tenant: Type.Optional(Tenant) }, strict);

/** An event of a turn as it is streamed. The id of the SSE message is where to go on after it. */
export const StreamedEvent = Type.Object({
  event: TraceEvent,
  outcome: Type.Optional(TurnOutcome),
});

/** Every operation there is, by the name that OpenAPI and the client call it. */
export const API_ROUTES = {
  submitTurn: {
    method: 'POST',
    path: '/v1/turns',
    scope: 'submit',
    tag: 'turns',
    summary: 'Submit a turn. With an `Idempotency-Key`, a repeat gives the turn that the first one made.',
    body: TurnRequestBody,
    idempotent: true,
    reply: { status: 201, schema: TurnResource },
    problems: [
      'SKILL_INVALID',
      'SKILL_NOT_FOUND',
      'SKILL_TOO_LARGE',
      'POLICY_DENIED',
      'TENANT_LIMIT',
      'IDEMPOTENCY_CONFLICT',
    ],
  },
  listTurns: {
    method: 'GET',
    path: '/v1/turns',
    scope: 'read',
    tag: 'turns',
    summary: 'Turns, the one submitted last first.',
    query: TurnQuery,
    reply: { status: 200, schema: TurnPage },
  },
  getTurn: {
    method: 'GET',
    path: '/v1/turns/{turnId}',
    scope: 'read',
    tag: 'turns',
    summary: 'One turn, with its outcome once it has ended.',
    params: turn,
    reply: { status: 200, schema: TurnResource },
    problems: ['TURN_NOT_FOUND'],
  },
  watchTurn: {
    method: 'GET',
    path: '/v1/turns/{turnId}/events',
    scope: 'read',
    tag: 'turns',
    summary: 'What happens to a turn, as it happens, up to its end. `Last-Event-ID` says what came already.',
    params: turn,
    reply: { status: 200, schema: StreamedEvent, stream: true },
    problems: ['TURN_NOT_FOUND', 'TOO_MANY_STREAMS'],
  },
  listTurnJobs: {
    method: 'GET',
    path: '/v1/turns/{turnId}/jobs',
    scope: 'read',
    tag: 'turns',
    summary: 'What the steps of a turn were given and what they gave, where a history is kept.',
    params: turn,
    query: Type.Object(
      { path: Type.Optional(Type.String({ maxLength: 300, description: 'Of one step only.' })) },
      strict,
    ),
    reply: { status: 200, schema: TurnJobs },
    problems: ['TURN_NOT_FOUND'],
  },
  getTurnSkill: {
    method: 'GET',
    path: '/v1/turns/{turnId}/skill',
    scope: 'read',
    tag: 'turns',
    summary: 'The skill as the turn runs it.',
    params: turn,
    reply: { status: 200, schema: SkillResource },
    problems: ['TURN_NOT_FOUND', 'SKILL_NOT_FOUND'],
  },
  explainTurn: {
    method: 'GET',
    path: '/v1/turns/{turnId}/why',
    scope: 'read',
    tag: 'turns',
    summary: 'Why a turn has not ended.',
    params: turn,
    reply: { status: 200, schema: TurnExplanation },
    problems: ['TURN_NOT_FOUND'],
  },
  cancelTurn: {
    method: 'POST',
    path: '/v1/turns/{turnId}/cancel',
    scope: 'submit',
    tag: 'turns',
    summary: 'Ask for a turn to be cancelled.',
    params: turn,
    body: CancelBody,
    reply: { status: 202, schema: CancelReply },
    problems: ['TURN_NOT_FOUND'],
    audited: true,
  },
  listQuestions: {
    method: 'GET',
    path: '/v1/questions',
    scope: 'read',
    tag: 'questions',
    summary: 'Questions of turns that wait for a person, the one that has waited longest first.',
    query: Type.Object({ tenant: Type.Optional(Tenant), ...page }, strict),
    reply: { status: 200, schema: QuestionPage },
  },
  listTurnQuestions: {
    method: 'GET',
    path: '/v1/turns/{turnId}/questions',
    scope: 'read',
    tag: 'questions',
    summary: 'The open questions of a turn.',
    params: turn,
    reply: { status: 200, schema: QuestionList },
    problems: ['TURN_NOT_FOUND'],
  },
  answerQuestion: {
    method: 'POST',
    path: '/v1/turns/{turnId}/questions/{jobId}/answer',
    scope: 'answer',
    tag: 'questions',
    summary: 'Answer the questions of a job; its turn goes on. They are answered once.',
    params: Type.Object({ ...turn.properties, ...job.properties }),
    body: AnswerBody,
    reply: { status: 202, schema: AnswerReply },
    problems: ['TURN_NOT_FOUND', 'QUESTION_NOT_FOUND', 'QUESTION_CLOSED', 'ANSWER_INVALID'],
    audited: true,
  },
  listFailedJobs: {
    method: 'GET',
    path: '/v1/failed-jobs',
    scope: 'operate',
    tag: 'jobs',
    summary: 'Failed jobs, newest first.',
    query: Type.Object({ class: Type.Optional(workerClass.properties.class), ...page }, strict),
    reply: { status: 200, schema: FailedJobPage },
    problems: ['QUEUE_UNKNOWN'],
  },
  inspectJob: {
    method: 'GET',
    path: '/v1/failed-jobs/{jobId}',
    scope: 'operate',
    tag: 'jobs',
    summary: 'A failed job, and what can be done about it.',
    params: job,
    reply: { status: 200, schema: InspectedJobResource },
    problems: ['JOB_NOT_FOUND'],
  },
  redriveJob: {
    method: 'POST',
    path: '/v1/failed-jobs/{jobId}/redrive',
    scope: 'operate',
    tag: 'jobs',
    summary: 'Run a failed job again; its turn goes on with what it gives.',
    params: job,
    reply: { status: 200, schema: ReopenedTurns },
    problems: ['JOB_NOT_FOUND', 'REOPEN_REFUSED'],
    audited: true,
  },
  resolveJob: {
    method: 'POST',
    path: '/v1/failed-jobs/{jobId}/resolve',
    scope: 'operate',
    tag: 'jobs',
    summary: 'Decide about a failed or lost job: what it gave, or that it may be repeated.',
    params: job,
    body: ResolveBody,
    reply: { status: 200, schema: ReopenedTurns },
    problems: ['JOB_NOT_FOUND', 'REOPEN_REFUSED'],
    audited: true,
  },
  redriveClass: {
    method: 'POST',
    path: '/v1/queues/{class}/redrive',
    scope: 'operate',
    tag: 'jobs',
    summary: 'Run every failed job of a class again that can be.',
    params: workerClass,
    reply: { status: 200, schema: RedriveReport },
    problems: ['QUEUE_UNKNOWN'],
    audited: true,
  },
  listQueues: {
    method: 'GET',
    path: '/v1/queues',
    scope: 'read',
    tag: 'queues',
    summary: 'The queues of the classes: depth, rate, workers.',
    reply: { status: 200, schema: QueueList },
  },
  pauseQueue: {
    method: 'POST',
    path: '/v1/queues/{class}/pause',
    scope: 'operate',
    tag: 'queues',
    summary: 'Let no worker of a class take further jobs. For callers that act for all tenants.',
    params: workerClass,
    reply: { status: 200, schema: QueueResource },
    problems: ['QUEUE_UNKNOWN'],
    audited: true,
  },
  resumeQueue: {
    method: 'POST',
    path: '/v1/queues/{class}/resume',
    scope: 'operate',
    tag: 'queues',
    summary: 'Let the workers of a class go on. For callers that act for all tenants.',
    params: workerClass,
    reply: { status: 200, schema: QueueResource },
    problems: ['QUEUE_UNKNOWN'],
    audited: true,
  },
  listSkills: {
    method: 'GET',
    path: '/v1/skills',
    scope: 'read',
    tag: 'skills',
    summary: 'The skills that turns can be submitted with by name.',
    reply: { status: 200, schema: SkillList },
  },
  getSkill: {
    method: 'GET',
    path: '/v1/skills/{name}',
    scope: 'read',
    tag: 'skills',
    summary: 'One skill: source, graph, what it reads.',
    params: skill,
    query: Type.Object({ version: Type.Optional(Type.String({ maxLength: 100 })) }, strict),
    reply: { status: 200, schema: SkillResource },
    problems: ['SKILL_NOT_FOUND'],
  },
  listSkillVersions: {
    method: 'GET',
    path: '/v1/skills/{name}/versions',
    scope: 'read',
    tag: 'skills',
    summary: 'The versions of a skill, the newest first.',
    params: skill,
    reply: { status: 200, schema: SkillVersionList },
    problems: ['SKILL_NOT_FOUND'],
  },
  uploadSkill: {
    method: 'POST',
    path: '/v1/skills',
    scope: 'admin',
    tag: 'skills',
    summary:
      'Give the tenant a skill, or a new version of one. What is uploaded goes before what lies in a folder.',
    body: SkillText,
    reply: { status: 201, schema: SkillSummary },
    problems: ['SKILL_INVALID', 'SKILL_TOO_LARGE'],
    audited: true,
  },
  deleteSkill: {
    method: 'DELETE',
    path: '/v1/skills/{name}',
    scope: 'admin',
    tag: 'skills',
    summary: 'Forget an uploaded skill, all its versions included. Turns that run it go on.',
    params: skill,
    reply: { status: 204, schema: null },
    problems: ['SKILL_NOT_FOUND'],
    audited: true,
  },
  checkSkill: {
    method: 'POST',
    path: '/v1/skill-checks',
    scope: 'read',
    tag: 'skills',
    summary: 'Say of a skill what is wrong with it and what it may do, without running it.',
    body: SkillText,
    reply: { status: 200, schema: SkillCheck },
    problems: ['SKILL_TOO_LARGE'],
  },
  listSchedules: {
    method: 'GET',
    path: '/v1/schedules',
    scope: 'read',
    tag: 'schedules',
    summary: 'Turns that are submitted by the clock.',
    query: ofTenant,
    reply: { status: 200, schema: ScheduleList },
  },
  putSchedule: {
    method: 'PUT',
    path: '/v1/schedules/{scheduleId}',
    scope: 'submit',
    tag: 'schedules',
    summary: 'Make a schedule, or change it.',
    params: schedule,
    body: ScheduleBody,
    reply: { status: 200, schema: Schedule },
    problems: ['SKILL_INVALID', 'SKILL_NOT_FOUND', 'POLICY_DENIED'],
    audited: true,
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/v1/schedules/{scheduleId}',
    scope: 'submit',
    tag: 'schedules',
    summary: 'End a schedule. Turns that it submitted go on.',
    params: schedule,
    query: ofTenant,
    reply: { status: 204, schema: null },
    problems: ['SCHEDULE_NOT_FOUND'],
    audited: true,
  },
  getCaller: {
    method: 'GET',
    path: '/v1/me',
    scope: null,
    tag: 'access',
    summary: 'Who the API takes the caller for.',
    reply: { status: 200, schema: Caller },
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    scope: 'admin',
    tag: 'access',
    summary: 'The API keys of the tenant, without their secrets.',
    reply: { status: 200, schema: ApiKeyList },
  },
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    scope: 'admin',
    tag: 'access',
    summary: 'Make an API key. Its secret is shown this once. Nobody gives more than they have.',
    body: ApiKeyRequest,
    reply: { status: 201, schema: CreatedApiKey },
    audited: true,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/{keyId}',
    scope: 'admin',
    tag: 'access',
    summary: 'Revoke an API key, from this moment on.',
    params: key,
    reply: { status: 204, schema: null },
    problems: ['KEY_NOT_FOUND'],
    audited: true,
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    scope: 'admin',
    tag: 'access',
    summary: 'Who did what that others feel, the latest first.',
    query: Type.Object(page, strict),
    reply: { status: 200, schema: AuditPage },
  },
} as const satisfies Record<string, ApiRoute>;

/** The name of an operation. */
export type ApiOperation = keyof typeof API_ROUTES;
