import { Type, type Static } from 'typebox';
import { CodeEvent, CodeRef } from './code/directive.ts';
import { Question } from './code/question.ts';
import { ToolEffect } from './config.ts';
import type { JobId, TurnId } from './ids.ts';
import { Json, JsonObject } from './json.ts';

/** Generation parameters of one model step. Absent means the executor's default. */
export const Sampling = Type.Object(
  {
    temperature: Type.Optional(Type.Number()),
    top_p: Type.Optional(Type.Number()),
    top_k: Type.Optional(Type.Integer()),
    min_p: Type.Optional(Type.Number()),
    repetition_penalty: Type.Optional(Type.Number()),
    max_tokens: Type.Optional(Type.Integer()),
    reasoning: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Sampling = Static<typeof Sampling>;

const base = {
  id: Type.Unsafe<JobId>(Type.String({ description: 'Derived from the path, so a repeat has the same id.' })),
  turnId: Type.Unsafe<TurnId>(Type.String()),
  path: Type.String({ description: 'Path of the step instance within the turn, e.g. `3.i42.0`.' }),
  step: Type.String({ description: "The step's name, empty when it has none." }),
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Ceiling on the work, from the start of its first attempt to the end of its last. Waiting for a worker before that is not counted.',
    }),
  ),
};

/** One piece of a string argument: literal text, or a value that only the worker puts in. */
export const FillPart = Type.Union([
  Type.Object({ text: Type.String() }),
  Type.Object({
    handle: Type.String({ description: 'Working-memory id whose whole value is wanted.' }),
    otherwise: Type.String({
      description: 'The preview without its notes, used when the handle cannot be read.',
    }),
  }),
]);
export type FillPart = Static<typeof FillPart>;

/**
 * A string inside `args` that holds values by reference. The worker joins the parts and writes the text at the path,
 * so that a large value passes from one call to the next without entering the state, a job or a model.
 */
export const Fill = Type.Object({
  at: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
    description: 'Keys and indexes from the root of `args`.',
  }),
  parts: Type.Array(FillPart),
});
export type Fill = Static<typeof Fill>;

/** What one tool call of a model gave, on its way into the next generation. */
export const ToolReply = Type.Object({
  callId: Type.String({ description: "The model's own id of the call." }),
  tool: Type.String({ description: '`server:tool`, or the name as the model wrote it if it is none.' }),
  text: Type.String(),
  failed: Type.Boolean(),
});
export type ToolReply = Static<typeof ToolReply>;

/** One generation of a model. */
export const GenerateJob = Type.Object({
  ...base,
  kind: Type.Literal('generate'),
  model: Type.String({ description: 'Name from the configuration; empty means the default model.' }),
  instruction: Type.String(),
  system: Type.Optional(
    Type.String({ description: 'What the model is told before the conversation: the playbook of a skill.' }),
  ),
  tools: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description:
      'What the model may call: a server with all its tools, or one tool as `server:tool`. null: the flow declares none. []: none at all.',
  }),
  toolChoice: Type.Enum(['auto', 'none'], { description: '`none` asks for the final answer.' }),
  maxCalls: Type.Integer({ description: '0 means the default ceiling.' }),
  maxToolErrors: Type.Integer({ description: '0 means the default number of forgiven misses.' }),
  sampling: Type.Union([Sampling, Type.Null()]),
  responseSchema: Type.Union([JsonObject, Type.Null()]),
  oneOf: Type.Union([Type.Array(Type.String()), Type.Null()]),
  conversation: Type.String({ description: 'Where the messages of this step are kept, outside the state.' }),
  round: Type.Integer({ minimum: 0, description: '0 is the first generation of the conversation.' }),
  goesOn: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The conversation goes on after the answer, which is kept. So many generations of this step came before.',
    }),
  ),
  replies: Type.Array(ToolReply, {
    description: "Answers to the calls of the round before, in the model's order.",
  }),
});
export type GenerateJob = Static<typeof GenerateJob>;

/** Where the code of a turn finds what it decided so far: the first `rounds` rounds of a journal. */
export const CodePosition = Type.Object({
  code: CodeRef,
  journal: Type.String({ description: 'Where the rounds are kept, outside the state.' }),
  rounds: Type.Integer({ minimum: 0 }),
});
export type CodePosition = Static<typeof CodePosition>;

/** One tool call, asked for by the flow, by a model, or by the code of a skill (an action). */
export const CallJob = Type.Object({
  ...base,
  kind: Type.Literal('call'),
  server: Type.String(),
  tool: Type.String(),
  args: JsonObject,
  fill: Type.Array(Fill),
  notes: Type.Array(Type.String(), { description: 'Truncation notes to cut from a whole value.' }),
  origin: Type.Enum(['step', 'model', 'code']),
  at: Type.Optional(CodePosition),
  effect: Type.Optional(ToolEffect),
});
export type CallJob = Static<typeof CallJob>;

/** Another skill run as a child turn. */
export const DelegateJob = Type.Object({
  ...base,
  kind: Type.Literal('delegate'),
  skill: Type.String(),
  task: Type.String(),
});
export type DelegateJob = Static<typeof DelegateJob>;

/**
 * Questions to a person. The turn waits without holding a worker. The result's value is the answers, one for each question;
 * its text is what a flow stores: the one answer, or the JSON of several.
 */
export const AskJob = Type.Object({
  ...base,
  kind: Type.Literal('ask'),
  questions: Type.Array(Question, { minItems: 1 }),
});
export type AskJob = Static<typeof AskJob>;

/** What to do next, asked of the code of a skill. Does nothing outside; the result has the decision. */
export const DecideJob = Type.Object({
  ...base,
  kind: Type.Literal('decide'),
  at: CodePosition,
  event: CodeEvent,
});
export type DecideJob = Static<typeof DecideJob>;

/** How an external asset is fetched. */
export const FetchPolicy = Type.Object({
  ttlMs: Type.Integer({ minimum: 0 }),
  timeoutMs: Type.Integer({ minimum: 0, description: 'Per attempt; 0 means the default.' }),
  retries: Type.Integer({ minimum: 0 }),
  onUnavailable: Type.Enum(['fail', 'stale', 'empty']),
});
export type FetchPolicy = Static<typeof FetchPolicy>;

/** A payload declared by the skill, as the resolver needs it. */
export const AssetSource = Type.Object({
  kind: Type.String(),
  source: Type.String(),
  content: Type.String({ description: 'Inline content; blank when the asset has a ref.' }),
  ref: Type.String(),
  args: JsonObject,
  params: Type.Record(Type.String(), Json),
  fetch: Type.Union([FetchPolicy, Type.Null()]),
});
export type AssetSource = Static<typeof AssetSource>;

/** The text of one declared asset. Asked for at most once in a turn with the same args. */
export const AssetJob = Type.Object({
  ...base,
  kind: Type.Literal('asset'),
  name: Type.String(),
  asset: AssetSource,
});
export type AssetJob = Static<typeof AssetJob>;

/** A whole value held by handle, or what lies at a path inside it. The driver answers it without a queue. */
export const MemoryJob = Type.Object({
  ...base,
  kind: Type.Literal('memory'),
  handle: Type.String(),
  at: Type.String({
    description: 'Reference path inside the value, such as `.rows[2].id`; empty: all of it.',
  }),
  notes: Type.Array(Type.String()),
});
export type MemoryJob = Static<typeof MemoryJob>;

/** A unit of outside work the engine asks for. */
export const StepJob = Type.Union([
  GenerateJob,
  CallJob,
  DelegateJob,
  AskJob,
  DecideJob,
  AssetJob,
  MemoryJob,
]);
export type StepJob = GenerateJob | CallJob | DelegateJob | AskJob | DecideJob | AssetJob | MemoryJob;
