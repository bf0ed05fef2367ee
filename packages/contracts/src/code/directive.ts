/**
 * Turns whose control flow is code: kit skills and programs. The machine asks the code what to do (a `decide` job),
 * does it, and asks again with what came back. The code never waits and holds nothing between two decisions: what it has
 * to remember comes with the next question.
 */
import { Type, type Static } from 'typebox';
import { Json, JsonObject } from '../json.ts';
import { StepError } from '../step-result.ts';
import { ToolEffect } from '../config.ts';
import { Requirement, TurnStop } from '../turn-outcome.ts';
import { Answers, Question } from './question.ts';

/** The code of a skill. A worker runs this version of it, by its hash, or none. */
export const CodeRef = Type.Object({
  runtime: Type.Enum(['kit', 'program']),
  /** The name of the skill, for messages. */
  name: Type.String(),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'Of the bundle that holds the code; of a program the digest of its sources.',
  }),
});
export type CodeRef = Static<typeof CodeRef>;

/** The longest time that code can set: a year. */
const MAX_TIMEOUT_MS = 365 * 24 * 60 * 60 * 1000;
const timeoutMs = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TIMEOUT_MS }));

/** What the machine is to do next for the code. `step` names the step of the skill, for the trace and for messages. */
export const Directive = Type.Union([
  Type.Object({
    do: Type.Literal('generate'),
    step: Type.String(),
    instruction: Type.String(),
    system: Type.String({
      description: 'What the model is told before the conversation; empty when nothing.',
    }),
    schema: Type.Union([JsonObject, Type.Null()]),
    tools: Type.Union([Type.Array(Type.String()), Type.Null()]),
    model: Type.String({ description: 'Name from the configuration; empty means the default model.' }),
  }),
  Type.Object({
    do: Type.Literal('act'),
    step: Type.String(),
    action: Type.String({ description: "The action's name, or that of the step when it has none." }),
    effect: ToolEffect,
    input: Json,
    timeoutMs,
  }),
  Type.Object({
    do: Type.Literal('command'),
    step: Type.String(),
    command: Type.String({ description: 'For `sh -c`, in the folder of the skill.' }),
    timeoutMs: Type.Integer({
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      description: 'What the command may take.',
    }),
  }),
  Type.Object({
    do: Type.Literal('ask'),
    step: Type.String(),
    questions: Type.Array(Question, { minItems: 1, maxItems: 100 }),
    timeoutMs,
  }),
  Type.Object({
    do: Type.Literal('end'),
    output: Json,
    /** Why the turn failed; null when it completed. */
    error: Type.Union([StepError, Type.Null()]),
    /** How it ended, when it neither completed nor failed. */
    stop: Type.Optional(TurnStop),
    requirements: Type.Optional(Type.Array(Requirement, { maxItems: 10_000 })),
  }),
]);
export type Directive = Static<typeof Directive>;

/** Something the code saw on its way to a decision: what its observers are told. */
export const Observation = Type.Object({
  event: Type.Enum([
    'onStepStart',
    'onStepComplete',
    'onStepValidationFailed',
    'onTransition',
    'onSkillComplete',
  ]),
  step: Type.String(),
  data: JsonObject,
});
export type Observation = Static<typeof Observation>;

/** What the code decided. */
export const Decision = Type.Object({
  directive: Directive,
  observed: Type.Array(Observation, { maxItems: 4000 }),
  /** Steps that were passed without a job: gates that only route. */
  passed: Type.Array(Type.String(), { maxItems: 1000 }),
});
export type Decision = Static<typeof Decision>;

/** What happened since the last decision. */
export const CodeEvent = Type.Union([
  Type.Object({ type: Type.Literal('start'), vars: Type.Record(Type.String(), Type.String()) }),
  Type.Object({
    type: Type.Literal('reply'),
    text: Type.String(),
    error: Type.Union([StepError, Type.Null()]),
  }),
  Type.Object({ type: Type.Literal('acted'), value: Json }),
  Type.Object({
    type: Type.Literal('answered'),
    answers: Type.Union([Answers, Type.Null()], { description: 'null: nobody answered in time.' }),
  }),
]);
export type CodeEvent = Static<typeof CodeEvent>;

/** One round of a code turn as it is kept: what happened, and what the code wants to remember of its decision. */
export const CodeRound = Type.Object({ event: CodeEvent, memo: Json });
export type CodeRound = Static<typeof CodeRound>;
