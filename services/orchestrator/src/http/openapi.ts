import * as contracts from '@skillyard/contracts';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { NamedRoute } from './handler.ts';
import { NAMED_ROUTES } from './operation-routes.ts';

const { ERRORS, Problem } = contracts;

/** A part of the document: plain JSON. */
type Node = { readonly [key: string]: unknown };

/** Codes that any operation may answer with. */
const COMMON: readonly contracts.ErrorCode[] = [
  'INPUT_INVALID',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BODY_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL',
  'API_UNAVAILABLE',
  'REDIS_UNAVAILABLE',
];

/** Schemas that the document has once, under these names. */
const NAMED = new Map<unknown, string>(
  Object.entries({
    AnswerBody: contracts.AnswerBody,
    AnswerReply: contracts.AnswerReply,
    ApiKey: contracts.ApiKey,
    ApiKeyList: contracts.ApiKeyList,
    ApiKeyRequest: contracts.ApiKeyRequest,
    AuditEntry: contracts.AuditEntry,
    AuditPage: contracts.AuditPage,
    CancelBody: contracts.CancelBody,
    CancelReply: contracts.CancelReply,
    Caller: contracts.Caller,
    CreatedApiKey: contracts.CreatedApiKey,
    Diagnostic: contracts.Diagnostic,
    FailedJobPage: contracts.FailedJobPage,
    InspectedJob: contracts.InspectedJobResource,
    Labels: contracts.Labels,
    OpenQuestion: contracts.OpenQuestion,
    Problem,
    Question: contracts.Question,
    QuestionList: contracts.QuestionList,
    QuestionPage: contracts.QuestionPage,
    Queue: contracts.QueueResource,
    QueueList: contracts.QueueList,
    RedriveReport: contracts.RedriveReport,
    ReopenedTurns: contracts.ReopenedTurns,
    ResolveBody: contracts.ResolveBody,
    Schedule: contracts.Schedule,
    ScheduleBody: contracts.ScheduleBody,
    ScheduleList: contracts.ScheduleList,
    Skill: contracts.SkillResource,
    SkillCheck: contracts.SkillCheck,
    SkillChoice: contracts.SkillChoice,
    SkillList: contracts.SkillList,
    SkillSummary: contracts.SkillSummary,
    SkillText: contracts.SkillText,
    SkillVersionList: contracts.SkillVersionList,
    StepError: contracts.StepError,
    StreamedEvent: contracts.StreamedEvent,
    TokenUsage: contracts.TokenUsage,
    TraceEvent: contracts.TraceEvent,
    Turn: contracts.TurnResource,
    TurnExplanation: contracts.TurnExplanation,
    TurnJob: contracts.TurnJob,
    TurnJobs: contracts.TurnJobs,
    TurnOutcome: contracts.TurnOutcome,
    TurnPage: contracts.TurnPage,
    TurnRequest: contracts.TurnRequestBody,
    TurnState: contracts.TurnState,
    TurnSummary: contracts.TurnSummary,
  }).map(([name, schema]) => [schema, name]),
);

/**
 * Describes the API as OpenAPI 3.1, from the table of its operations alone.
 * @param publicUrl how it is reached from outside
 */
export function openApiDocument(publicUrl?: string): Node {
  const paths: Record<string, Record<string, Node>> = {};
  for (const route of NAMED_ROUTES) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route);
  }
  const schemas = [...NAMED].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skillyard',
      version: 'v1',
      description:
        'Runs skill turns of LLM agents. What goes wrong is a problem (RFC 9457) with a stable code.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ key: [] }],
    tags: [...new Set(NAMED_ROUTES.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, or a JSON Web Token.' },
      },
      schemas: Object.fromEntries(schemas.map(([schema, name]) => [name, plain(schema, schema)])),
    },
  };
}

function operationOf(route: NamedRoute): Node {
  const { operation, summary, tag, scope, body } = route;
  return {
    operationId: operation,
    summary,
    tags: [tag],
    security: [{ key: scope === null ? [] : [scope] }],
    parameters: parametersOf(route),
    ...(body !== undefined && {
      requestBody: {
        required: !Value.Check(body, {}),
        content: { 'application/json': { schema: plain(body) } },
      },
    }),
    responses: { ...replyOf(route), ...problemsOf(route) },
  };
}

function parametersOf({ params, query, idempotent, reply }: NamedRoute): Node[] {
  return [
    ...propertiesOf(params).map(([name, schema]) => parameter(name, 'path', schema, { required: true })),
    ...propertiesOf(query).map(([name, schema]) => parameter(name, 'query', schema)),
    ...(idempotent === true
      ? [
          parameter('Idempotency-Key', 'header', {
            type: 'string',
            maxLength: 200,
            description: 'Chosen by the client. A repeat with the same key makes nothing new.',
          }),
        ]
      : []),
    ...(reply.stream === true
      ? [
          parameter('Last-Event-ID', 'header', {
            type: 'string',
            pattern: '^\\d+-\\d+$',
            description: 'The id of the last event that came: the stream goes on after it.',
          }),
        ]
      : []),
  ];
}

function propertiesOf(schema: TSchema | undefined): [string, unknown][] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, unknown> };
  return Object.entries(properties);
}

function parameter(name: string, place: string, schema: unknown, more: Node = {}): Node {
  const { description } = schema as { description?: string };
  return {
    name,
    in: place,
    ...more,
    ...(description !== undefined && { description }),
    schema: plain(schema),
  };
}

function replyOf({ reply: { status, schema, stream }, summary }: NamedRoute): Node {
  if (schema === null) return { [status]: { description: 'Done.' } };
  const description = stream === true ? 'Server-sent events; the data of each is this.' : summary;
  const type = stream === true ? 'text/event-stream' : 'application/json';
  return { [status]: { description, content: { [type]: { schema: plain(schema) } } } };
}

/** Problems by their status, each with its codes. */
function problemsOf({ problems = [] }: NamedRoute): Node {
  const byStatus = new Map<number, string[]>();
  for (const code of [...COMMON, ...problems]) {
    const { http } = ERRORS[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  const content = { 'application/problem+json': { schema: plain(Problem) } };
  const entries = [...byStatus].map(([status, codes]) => [
    status,
    { description: codes.join(', '), content },
  ]);
  return Object.fromEntries(entries) as Node;
}

/** A schema as plain JSON, with references to those that have names. @param whole the one to be written out */
function plain(schema: unknown, whole?: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = schema === whole ? undefined : NAMED.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((one) => plain(one));
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value)]));
}
