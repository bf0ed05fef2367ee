/**
 * Who can do something about an error.
 *
 * - `caller`: the input is wrong; the same input fails again.
 * - `retryable`: the world was in the way; the same input may work later.
 * - `terminal`: it ended this turn or step and stays ended.
 * - `bug`: ours.
 */
export type ErrorKind = 'caller' | 'retryable' | 'terminal' | 'bug';

/** One entry of the catalogue. `exit` is the exit code of the command line. */
export interface ErrorEntry {
  readonly kind: ErrorKind;
  readonly http: number;
  readonly exit: number;
  readonly meaning: string;
}

const caller = (meaning: string, http = 400): ErrorEntry => ({ kind: 'caller', http, exit: 2, meaning });
const retryable = (meaning: string, http = 503): ErrorEntry => ({
  kind: 'retryable',
  http,
  exit: 4,
  meaning,
});
const terminal = (meaning: string, http = 422): ErrorEntry => ({ kind: 'terminal', http, exit: 1, meaning });

/**
 * Every stable error code, with who can act on it and what it means.
 * docs/errors.md lists the same codes; a test keeps the two equal.
 */
export const ERRORS = {
  SKILL_INVALID: caller('The skill file cannot be read or is refused by validation.'),
  SKILL_TOO_LARGE: caller('The skill file is larger than the limit.', 413),
  SKILL_NOT_FOUND: caller('No skill of this name or at this path.', 404),
  INCLUDE_CYCLE: caller('Skills include each other in a circle.'),
  CONFIG_INVALID: caller('The configuration file cannot be read or has a wrong key or value.'),
  INPUT_INVALID: caller('A command or request was given something it cannot use.'),
  FILE_UNREADABLE: caller('A file that was named cannot be read.'),
  FILE_UNWRITABLE: caller('A file cannot be written.'),

  MODEL_UNKNOWN: terminal('A step names a model that the configuration does not have.'),
  MODEL_KEY_MISSING: terminal('The environment variable that should hold the key of a model is not set.'),
  MODEL_NOT_STRUCTURED: terminal(
    'A response_schema needs a model whose configuration says structured_output: true.',
  ),
  MODEL_ANSWER_INVALID: terminal('The answer of a model does not fit the response_schema.'),
  MODEL_REFUSED: terminal('The model endpoint refused the request.'),
  MODEL_UNAVAILABLE: retryable('The model endpoint failed, is overloaded or cannot be reached.'),
  MODEL_TIMEOUT: retryable('The model endpoint did not answer in time.'),

  SERVER_UNKNOWN: terminal('A step names a tool server that the configuration does not have.'),
  SERVER_UNAVAILABLE: retryable('A tool server does not start, cannot be reached or has gone.'),
  SERVER_GARBLED: terminal('A tool server answered with something that is not the protocol.'),
  TOOL_UNKNOWN: terminal('The server has no tool of this name.'),
  TOOL_ARGUMENTS_INVALID: terminal("The arguments do not fit the tool's schema."),
  TOOL_FAILED: terminal('The tool ran and said that it failed.'),
  TOOL_TIMEOUT: retryable('The tool did not answer in time.', 504),
  TOOL_DENIED: terminal('The tool refused for want of permission.', 403),

  EXECUTOR_MISSING: terminal('Nothing is configured that could do this kind of work.'),
  ASSET_UNAVAILABLE: terminal('The content of an asset cannot be had.'),
  MEMORY_UNKNOWN: terminal('There is no value under this handle.'),
  MEMORY_FULL: terminal('The turn already holds as many bytes of large values as it may.'),
  CODE_UNKNOWN: retryable('No worker here has the code of the skill in this version.'),
  CODE_UNAVAILABLE: retryable('The process that runs the code of a skill does not start, or has gone.'),
  CODE_TIMEOUT: retryable('The code of a skill did not answer in time.', 504),
  QUESTION_EXPIRED: terminal('Nobody answered a question of the code of a skill in time.'),
  CODE_FAILED: terminal('The code of a skill failed.'),
  PROGRAM_DIVERGED: terminal('A program, run again, asked for something else than it had asked for before.'),
  COMMAND_DENIED: terminal('The configuration does not allow a command that a program wants run.', 403),
  DELEGATE_FAILED: terminal('The skill that was delegated to ended without an answer.'),

  REFERENCE_UNRESOLVED: terminal('A path in a template, condition or argument does not resolve.'),
  CONDITION_FAILED: terminal('A condition cannot be evaluated.'),
  RADIUS_REFUSED: terminal('A step reaches for a server outside its radius.'),
  STEP_EMPTY: terminal('A step whose result may not be empty gave none.'),
  STEP_DENIED: terminal('A step was refused for want of permission.', 403),
  STEP_FAILED: terminal('A step failed.'),
  STEP_LOST: terminal('The worker died while a step ran that must not run twice.'),
  STEP_TIMEOUT: terminal('A step took longer than its timeout.'),
  LOOP_INPUT_INVALID: terminal('A loop was given a value it cannot walk.'),
  VALUE_TOO_LARGE: terminal('A text that the flow builds is over the limit.'),
  LIMIT_EXCEEDED: terminal('The turn reached one of its limits.'),
  TURN_CANCELLED: terminal('The turn was cancelled.'),
  TURN_NOT_FOUND: caller('No turn of this id.', 404),
  JOB_NOT_FOUND: caller('No job of this id is known.', 404),
  QUESTION_NOT_FOUND: caller('No question of this id was asked.', 404),
  QUESTION_CLOSED: caller('The question was answered before, or its turn goes on without an answer.', 409),
  ANSWER_INVALID: caller('The answer does not fit the question.', 422),
  QUESTION_UNANSWERED: terminal('A step asks a person, and nobody is there to answer.'),
  REOPEN_REFUSED: caller('The turn of a job cannot be reopened, or not in this way.', 409),

  UNAUTHENTICATED: caller('The request has no key or token, or one that is not valid.', 401),
  FORBIDDEN: caller('The key or token does not allow this.', 403),
  POLICY_DENIED: caller('The policy does not let the caller reach a tool that the skill declares.', 403),
  ROUTE_UNKNOWN: caller('There is nothing at this address, or not for this method.', 404),
  BODY_TOO_LARGE: caller('The request is larger than the limit.', 413),
  IDEMPOTENCY_CONFLICT: caller('The idempotency key was used before, for something else.', 409),
  SCHEDULE_NOT_FOUND: caller('No schedule of this id.', 404),
  KEY_NOT_FOUND: caller('No API key of this id.', 404),
  QUEUE_UNKNOWN: caller('No class of workers of this name.', 404),
  TENANT_LIMIT: retryable('The tenant has as many turns under way as it may.', 429),
  RATE_LIMITED: retryable('The tenant makes more requests than it may.', 429),
  TOO_MANY_STREAMS: retryable('As many event streams are open as there may be.', 429),
  WEBHOOK_FAILED: retryable('The address that was to be told of the end of a turn did not take it.', 502),
  API_UNAVAILABLE: retryable('The API cannot be reached, or cannot answer now.'),
  INTERNAL: { kind: 'bug', http: 500, exit: 1, meaning: 'The API met a bug of ours.' },

  REDIS_UNAVAILABLE: retryable('Redis cannot be reached.'),
  REDIS_UNSUITABLE: caller('Redis is set up in a way that could lose turns.'),
} as const satisfies Record<string, ErrorEntry>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERRORS;
