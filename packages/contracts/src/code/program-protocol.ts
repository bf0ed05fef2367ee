/**
 * The protocol `yield.v1` between a program and its supervisor, as far as its values are looked at. Objects are closed.
 * Payloads, schemas and results are kept as the text that was printed: these types say what they hold, not how they travel.
 */
import { Type, type Static } from 'typebox';
import { Json } from '../json.ts';

const closed = { additionalProperties: false } as const;
const digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const sequence = Type.Integer({ minimum: 1 });

/** Which program, in which version of its sources. */
export const ProgramSkill = Type.Object(
  { name: Type.String({ minLength: 1 }), digest, version: Type.Optional(Type.String()) },
  closed,
);
export type ProgramSkill = Static<typeof ProgramSkill>;

export const RequestKind = Type.Enum(['ask_user', 'agent_task', 'run_command']);
export type RequestKind = Static<typeof RequestKind>;

/** One operation that a program wants done. */
export const ProgramRequest = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    kind: RequestKind,
    payload: Json,
    output_schema: Type.Optional(Json),
  },
  closed,
);
export type ProgramRequest = Static<typeof ProgramRequest>;

/** A request on its way to whoever answers it. */
export const RequestEnvelope = Type.Object(
  {
    protocol: Type.Literal('yield.v1'),
    run_id: Type.String({ minLength: 1 }),
    skill: ProgramSkill,
    sequence,
    request: ProgramRequest,
  },
  closed,
);
export type RequestEnvelope = Static<typeof RequestEnvelope>;

/** An answer on its way back. */
export const ResponseEnvelope = Type.Object(
  {
    run_id: Type.String(),
    sequence,
    request_id: Type.String(),
    status: Type.Enum(['completed', 'failed']),
    result: Type.Optional(Json),
  },
  closed,
);
export type ResponseEnvelope = Static<typeof ResponseEnvelope>;

export const TerminalStatus = Type.Enum(['completed', 'blocked', 'refused', 'requirement_failed']);
export type TerminalStatus = Static<typeof TerminalStatus>;

/** How a program ended. */
export const Terminal = Type.Object(
  { status: TerminalStatus, result: Type.Optional(Json), reason: Type.Optional(Type.String()) },
  closed,
);
export type Terminal = Static<typeof Terminal>;

/** A program that was run again asked for something else than it had asked for before. */
export const Divergence = Type.Object(
  { sequence, expected_digest: digest, got_digest: digest, detail: Type.Optional(Type.String()) },
  closed,
);
export type Divergence = Static<typeof Divergence>;

/** A claim bound to evidence. */
export const ProgramRequirement = Type.Object(
  { claim: Type.String({ minLength: 1 }), passed: Type.Boolean(), evidence_digest: Type.Optional(digest) },
  closed,
);
export type ProgramRequirement = Static<typeof ProgramRequirement>;

/** Where the bytes of an output are that its text does not hold: it was too long, or no UTF-8. */
export const OutputRef = Type.Object(
  {
    ref: Type.String({
      description: 'A path below the folder of the program, or a handle of working memory.',
    }),
    encoding: Type.Enum(['raw', 'base64'], { description: 'How the bytes lie there.' }),
    bytes: Type.Integer({ minimum: 0, description: 'What the command wrote.' }),
    kept: Type.Integer({ minimum: 0, description: 'The first so many of them are there.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes that are there.' }),
  },
  closed,
);
export type OutputRef = Static<typeof OutputRef>;

/** What a command did, as it was observed. */
export const CommandResult = Type.Object(
  {
    exit_code: Type.Integer({ description: '-1: ended by a signal or by its time limit.' }),
    stdout: Type.String(),
    stderr: Type.String(),
    timed_out: Type.Optional(Type.Literal(true)),
    stdout_ref: Type.Optional(OutputRef),
    stderr_ref: Type.Optional(OutputRef),
  },
  closed,
);
export type CommandResult = Static<typeof CommandResult>;
