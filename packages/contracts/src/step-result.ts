import { Type, type Static } from 'typebox';
import type { JobId } from './ids.ts';
import { type Json, JsonObject } from './json.ts';

/**
 * What came back for a step job.
 *
 * - `ok`: it gave text (or tool calls).
 * - `empty`: it worked and gave nothing. Memory and assets: there is nothing under that name.
 * - `truncated`: a generation cut off by its token limit.
 * - `denied`: a permission refusal. Never retried.
 * - `error`: it failed.
 * - `lost`: it was started, its worker died, and it must not be started again.
 */
export const StepStatus = Type.Enum(['ok', 'empty', 'truncated', 'denied', 'error', 'lost']);
export type StepStatus = Static<typeof StepStatus>;

/** Tokens of one generation, as the provider reports them. */
export const TokenUsage = Type.Object({
  inputTokens: Type.Integer({ minimum: 0 }),
  outputTokens: Type.Integer({ minimum: 0 }),
});
export type TokenUsage = Static<typeof TokenUsage>;

/** A call that a model asked for. `refused` says why it must not be made; it counts as the model's miss. */
export const ToolRequest = Type.Object({
  callId: Type.String(),
  server: Type.String(),
  tool: Type.String(),
  args: JsonObject,
  refused: Type.Optional(Type.String()),
});
export type ToolRequest = Static<typeof ToolRequest>;

/** Why a job failed: a stable code, and a message for people. */
export const StepError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  retryAfterMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'How long the other side asks us to stay away (HTTP Retry-After).',
    }),
  ),
});
export type StepError = Static<typeof StepError>;

/** What came back for a step job. Which optional fields may be there depends on the kind of the job. */
export const StepResult = Type.Object({
  jobId: Type.Unsafe<JobId>(Type.String()),
  status: StepStatus,
  text: Type.String({
    description: 'What the step stores. A large value is a preview, a note and its handle.',
  }),
  error: Type.Optional(StepError),
  toolRequests: Type.Optional(
    Type.Array(ToolRequest, { description: 'generate: calls wanted before the answer.' }),
  ),
  value: Type.Optional(
    Type.Unsafe<Json>({
      description: 'decide: the decision. ask: the answers. call of code: what the action gave.',
    }),
  ),
  usage: Type.Optional(TokenUsage),
  calls: Type.Optional(
    Type.Integer({ description: 'generate: calls made by an executor with a tool loop of its own.' }),
  ),
  callsFailed: Type.Optional(Type.Integer()),
  note: Type.Optional(Type.String({ description: 'A reason only the executor knows; degrades the step.' })),
  sent: Type.Optional(Type.Boolean({ description: 'call: false if it stopped before it reached the tool.' })),
  miss: Type.Optional(
    Type.Boolean({ description: 'call of a model: the tool refused the arguments, so it is a miss.' }),
  ),
  attempts: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Of a failure that a worker posted: how often the job was started, this time included.',
    }),
  ),
  worker: Type.Optional(Type.String()),
  startedAtMs: Type.Optional(Type.Integer()),
});
export type StepResult = Static<typeof StepResult>;
