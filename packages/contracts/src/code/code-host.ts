/**
 * How a worker talks to the process that runs the code of a skill: one JSON object a line, requests in, replies out, in
 * any order. The process holds nothing between two requests.
 */
import { Type, type Static } from 'typebox';
import { Json } from '../json.ts';
import { StepError } from '../step-result.ts';
import { CodeEvent, CodeRound, Decision } from './directive.ts';

const id = Type.Integer({ minimum: 1 });

export const CodeHostRequest = Type.Union([
  Type.Object({
    id,
    op: Type.Literal('decide'),
    turnId: Type.String(),
    rounds: Type.Array(CodeRound),
    event: CodeEvent,
  }),
  Type.Object({
    id,
    op: Type.Literal('act'),
    turnId: Type.String(),
    rounds: Type.Array(CodeRound),
    step: Type.String(),
    input: Json,
  }),
  Type.Object({ id, op: Type.Literal('cancel'), request: id }),
]);
export type CodeHostRequest = Static<typeof CodeHostRequest>;

export const CodeHostReply = Type.Union([
  Type.Object({ id, decision: Decision, memo: Json }),
  Type.Object({ id, value: Json }),
  Type.Object({ id, error: StepError }),
]);
export type CodeHostReply = Static<typeof CodeHostReply>;
