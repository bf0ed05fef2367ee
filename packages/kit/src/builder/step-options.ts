/** What an author writes for one step, with the types that its callbacks get. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type {
  ActionEffect,
  Act,
  AnySchema,
  Handshake,
  References,
  Terminal,
} from '../definition/skill-definition.ts';
import type { PromptReturn, SystemTag } from '../definition/prompt-piece.ts';
import type { AnyState } from './builder-state.ts';
import type { DeepPartial, LooseView, StrictView } from './store-view.ts';

/** The schema of a step that asks for nothing: its response is an empty object. */
export type NoResponse = StandardSchemaV1<unknown, EmptyObject>;

/** What a step without `response` is answered with, and the stores of a skill without any: no property is known. */
export type EmptyObject = {};

/** What a schema gives after validation. */
export type OutputOf<Schema extends AnySchema> = NonNullable<Schema['~standard']['types']>['output'];

/** What a prompt callback gets. */
export interface PromptInput<At extends AnyState> {
  readonly store: StrictView<At>;
  readonly params: At['params'];
  readonly refs: References;
  /** Visits of this step before this one. */
  readonly attempts: number;
  readonly host: Handshake;
  readonly act: Act;
  readonly system: SystemTag;
}

/** What `next` and `when` get. */
export interface TransitionInput<At extends AnyState, Response, Result> {
  readonly response: Response;
  /** Undefined without an action. */
  readonly actionResult: Result;
  /** Visits of this step, this one included. */
  readonly attempts: number;
  readonly params: At['params'];
  readonly store: LooseView<At>;
}

export interface SaveInput<At extends AnyState, Response, Result> {
  readonly response: Response;
  /** Undefined without an action. */
  readonly actionResult: Result;
  readonly store: StrictView<At>;
  readonly params: At['params'];
}

export interface MapInput<At extends AnyState, Response> {
  readonly response: Response;
  readonly store: LooseView<At>;
  readonly params: At['params'];
}

export interface ActionInput<At extends AnyState, Response> extends MapInput<At, Response> {
  /** Aborted when the action has taken too long or the workflow is cancelled. */
  readonly signal: AbortSignal;
}

/** A named side effect with a contract; made by `action()`. */
export interface TypedAction<Input, Output> {
  readonly kind: 'action';
  readonly name: string;
  readonly input: StandardSchemaV1<unknown, Input>;
  readonly output: StandardSchemaV1<unknown, Output>;
  readonly effect: ActionEffect;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly run: (context: {
    readonly input: Input;
    readonly signal: AbortSignal;
  }) => Output | PromiseLike<Output>;
}

/** An action by what it gives. Whether it takes what it is given is for its schema to say. */
interface ActionGiving<Result> {
  readonly kind: 'action';
  readonly name: string;
  readonly run: (context: never) => Result | PromiseLike<Result>;
}

/** What an action gives. */
export type InferActionResult<Action> = Action extends { readonly run: (context: never) => infer Result }
  ? Awaited<Result>
  : never;

/** Where a step goes on: a step, `self`, `subskill:<name>` or `topic:<name>`. */
export type NextTarget = string;

/** One way out of a step; the first that holds is taken, one without `when` always holds. */
interface TypedBranch<Target extends NextTarget, Input> {
  readonly to: Target;
  readonly when?: ((input: Input) => unknown) | undefined;
}

type TypedNext<Target extends NextTarget, Input> =
  | Target
  | Terminal
  | readonly TypedBranch<Target, Input>[]
  | ((input: Input) => Target | Terminal);

/** What `save` may give back: the result of the step, and parts of sub-stores. */
export type Saving<Stores> =
  | ({ readonly step?: unknown } & { readonly [Name in keyof Stores]?: DeepPartial<Stores[Name]> })
  | null
  | undefined
  // A `save` that returns nothing is one that saves nothing.
  | void;

/** Says no to what is neither `step` nor a declared sub-store. */
type OnlyDeclared<Saved, Stores> = [Exclude<keyof Saved, 'step' | keyof Stores>] extends [never]
  ? unknown
  : { readonly [Name in Exclude<keyof Saved, 'step' | keyof Stores>]: never };

/**
 * @typeParam At     the skill up to this step
 * @typeParam Schema of the response
 * @typeParam Result of the action
 * @typeParam Saved  what `save` gives
 * @typeParam Target every target of `next`, as literals
 */
export interface StepOptions<
  At extends AnyState,
  Schema extends AnySchema,
  Result,
  Saved,
  Target extends NextTarget,
> extends StepParts<At, Schema, Result, Saved> {
  readonly next: TypedNext<Target, TransitionInput<At, OutputOf<Schema>, Result>>;
}

/** What replaces parts of a reused step. */
export interface StepOverrides<
  At extends AnyState,
  Schema extends AnySchema,
  Result,
  Saved,
  Target extends NextTarget,
> extends StepParts<At, Schema, Result, Saved> {
  readonly next?: TypedNext<Target, TransitionInput<At, OutputOf<Schema>, Result>> | undefined;
}

interface StepParts<At extends AnyState, Schema extends AnySchema, Result, Saved> {
  readonly prompt?: PromptReturn | ((input: PromptInput<At>) => PromptReturn) | undefined;
  readonly response?: Schema | undefined;
  readonly action?: StepAction<At, OutputOf<Schema>, Result> | undefined;
  readonly save?:
    | ((input: SaveInput<At, OutputOf<Schema>, Result>) => Saved & OnlyDeclared<Saved, At['stores']>)
    | undefined;
  /** Visits of this step after which `onMaxVisits` is taken. */
  readonly maxVisits?: number | undefined;
  readonly onMaxVisits?: NextTarget | undefined;
}

/** A declared action with the way to its input, or a function of the step alone. */
type StepAction<At extends AnyState, Response, Result> =
  | {
      readonly run: ActionGiving<Result>;
      readonly mapInput?: ((input: MapInput<At, Response>) => unknown) | undefined;
    }
  | ((input: ActionInput<At, Response>) => Result | PromiseLike<Result>);

/** What `store.steps.<name>` gives: what was saved, else what the action gave, else the response. */
export type StepResult<Response, Result, Saved> = Saved extends { readonly step: infer Step }
  ? undefined extends Step
    ? Exclude<Step, undefined> | WithoutSave<Response, Result>
    : Step
  : Saved extends { readonly step?: infer Step }
    ? unknown extends Step
      ? WithoutSave<Response, Result>
      : Exclude<Step, undefined> | WithoutSave<Response, Result>
    : WithoutSave<Response, Result>;

type WithoutSave<Response, Result> = undefined extends Result
  ? Exclude<Result, undefined> | Response
  : Result;
