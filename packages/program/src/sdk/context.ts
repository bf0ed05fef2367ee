import type { CommandResult } from '@skillyard/contracts';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** One answer that a question allows. */
export interface Option<Value extends string = string> {
  readonly value: Value;
  /** What people see instead of the value. */
  readonly label?: string | undefined;
}

/** The values of the options when these are literals, else any text. */
export type Answer<Options extends readonly Option[]> = [Options[number]] extends [never]
  ? string
  : Options[number]['value'];

/** A schema of a library that speaks Standard Schema and Standard JSON Schema: Zod 4, ArkType, Valibot by its converter. */
export type AnswerSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/** A JSON Schema, written out or built. A schema of a library is none: it carries `~standard`. */
export type JsonSchema =
  | (({ readonly [keyword: string]: unknown } | object) & { readonly '~standard'?: never })
  | boolean;

/**
 * What a program does anything by. Each operation gives the answer that the journal holds for it. The first one without an
 * answer ends this run of the program, by an exception that is the SDK's own; the next run gets past it.
 *
 * What lies between operations must come out the same in every run: the clock, randomness, files and the environment are
 * reached by operations only.
 */
export interface Context {
  /** What the run was started with, as JSON; undefined: with nothing. The same in every run of the program. */
  readonly input: unknown;

  /**
   * Asks a person.
   * @param id names the question for whoever answers; a loop needs one for each round
   * @param options the only answers allowed; none: any text
   */
  askUser<const Options extends readonly Option[] = readonly []>(
    id: string,
    question: string,
    options?: Options,
  ): Answer<Options>;

  /**
   * Has a model think about something.
   * @param context JSON that the task is about; undefined: there is none
   * @param schema what the answer must be. The answer goes through it in every run, so that defaults and transformations
   *   hold; it must be synchronous
   * @throws ProgramError ANSWER_INVALID when the schema is stricter than the JSON Schema that it writes, and the answer is
   *   not: catch it to ask again under another id
   */
  agentTask<Schema extends AnswerSchema>(
    id: string,
    instruction: string,
    context: unknown,
    schema: Schema,
  ): StandardSchemaV1.InferOutput<Schema>;
  /**
   * Has a model think about something.
   * @param schema the JSON Schema that the answer is held to; the type is for you to name
   */
  agentTask<Result = unknown>(
    id: string,
    instruction: string,
    context?: unknown,
    schema?: JsonSchema | null,
  ): Result;

  /**
   * Has a command run by the shell, in the folder of the skill. What it gives is what was observed, whatever a model says.
   * @param timeoutSeconds 0 or less: the limit of the supervisor, ten minutes
   */
  runCommand(id: string, command: string, timeoutSeconds?: number): CommandResult;

  /**
   * Binds a claim to its evidence. A claim that does not hold ends the run as `requirement_failed`.
   * @param evidence JSON whose digest goes into the trail; undefined: there is none
   */
  require(ok: boolean, claim: string, evidence?: unknown): void;

  /** Ends the run with a result, as returning it does. */
  complete(result?: unknown): never;

  /** Ends the run: it cannot go on, and the reason says what it lacks. */
  blocked(reason: string): never;

  /** Ends the run: it will not go on, and the reason says why. */
  refused(reason: string): never;
}

/** Stands in the error of a program that is async. */
export type NotAsync = 'a program is synchronous: operations return their answers, there is nothing to await';

/** A program: a function from its context to the result of the run. */
export type Program<Result> = (context: Context) => Result extends PromiseLike<unknown> ? NotAsync : Result;
