/**
 * A skill as it will run: read, keys moved to where they belong, profiles folded, validated.
 *
 * Everything is still text: templates and conditions are parsed when a program is compiled from this. Positions are
 * kept so that a message about any part can say line and column.
 */
import type { CodeRef, FetchPolicy, JsonObject, Position, Sampling } from '@skillyard/contracts';

/** What a failure of a step does to the flow. */
export type ErrorPolicy = 'abort' | 'continue' | 'skip';
/** What a blank result of a step means. */
export type EmptyPolicy = 'continue' | 'fail' | 'retry' | 'use';
/** Which of the descriptions of a skill runs. */
export type Mode = 'workflow' | 'playbook' | 'code';

/** A skill file. Texts that the file does not give are empty, lists it does not give are null. */
export interface Skill {
  readonly formatVersion: string;
  readonly skillVersion: string;
  readonly name: string;
  readonly description: string;
  readonly triggerExamples: readonly string[];
  readonly servers: readonly string[];
  readonly builtinTools: readonly string[];
  readonly role: string;
  readonly kind: string;
  readonly temperature: number | null;
  readonly disabled: boolean;
  readonly declaredMode: string;
  readonly playbook: string;
  /** null when there is no workflow, or one without steps. */
  readonly workflow: Workflow | null;
  /** null when no code decides what its turns do. */
  readonly code: Code | null;
  readonly meta: JsonObject;
  /** Where further tools come from (format 2.5.0): the header keys `includes`, `tool_refs`..., as far as the file has them. */
  readonly sources: JsonObject;
  /** Positions of the header keys as written, those of the workflow included: `servers`, `workflow.tools`. */
  readonly keys: ReadonlyMap<string, Position>;
}

/** The code that decides what a turn does (format 2.5.0): written by the tool that built it, not by hand. */
export interface Code {
  readonly ref: CodeRef;
  /** Path of the bundle, from the folder of the file. */
  readonly file: string;
  readonly limits: Limits | null;
}

export interface Workflow {
  /** null: not declared. []: no tools at all. */
  readonly tools: readonly string[] | null;
  readonly vars: ReadonlyMap<string, string>;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly limits: Limits | null;
  readonly steps: readonly Step[];
}

export interface Asset {
  readonly position: Position;
  readonly kind: string;
  readonly source: string;
  readonly content: string;
  readonly ref: string;
  readonly args: JsonObject;
  readonly params: JsonObject;
  readonly deliver: string;
  readonly description: string;
  readonly fetch: FetchPolicy | null;
}

/** Ceilings of a whole turn (format 2.5.0). 0 means none. */
export interface Limits {
  readonly generations: number;
  readonly calls: number;
  readonly tokens: number;
  readonly seconds: number;
}

interface StepCommon {
  /** Empty when the step has none. */
  readonly name: string;
  readonly position: Position;
  /** Positions of the keys as written, moved ones included: `call.args`, `when`, `save_as`. */
  readonly keys: ReadonlyMap<string, Position>;
  /** Empty when the step always runs. */
  readonly when: string;
  readonly onError: ErrorPolicy;
  /** Where the result goes, or for blocks without a result only the failure note. Empty when nowhere is named. */
  readonly saveAs: string;
}

/** What a step does with a blank result. */
interface EmptyHandling {
  readonly onEmpty: EmptyPolicy;
  readonly onEmptyValue: string;
}

export interface InstructionStep extends StepCommon, EmptyHandling {
  readonly kind: 'instruction';
  readonly instruction: string;
  readonly tools: readonly string[] | null;
  readonly onServer: string;
  readonly model: string;
  readonly sampling: Sampling | null;
  /** null when absent or without a single key. */
  readonly responseSchema: JsonObject | null;
  readonly oneOf: readonly string[] | null;
  /** 0 means the default. */
  readonly maxCalls: number;
  /** 0 means the default. */
  readonly maxToolErrors: number;
  /** Runs after the first one: 1 to 5 under `retry`. */
  readonly onEmptyRetries: number;
  /** 0 means none. */
  readonly timeoutMs: number;
}

export interface CallStep extends StepCommon, EmptyHandling {
  readonly kind: 'call';
  /** Empty when only `on_server` names it. */
  readonly server: string;
  readonly tool: string;
  readonly onServer: string;
  readonly args: JsonObject;
  readonly timeoutMs: number;
}

interface DelegateStep extends StepCommon, EmptyHandling {
  readonly kind: 'delegate';
  readonly skill: string;
  readonly task: string;
  readonly timeoutMs: number;
}

interface AskStep extends StepCommon {
  readonly kind: 'ask';
  readonly question: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly timeoutMs: number;
  readonly onTimeout: 'fail' | 'use';
  readonly onTimeoutValue: string;
}

interface SetStep extends StepCommon {
  readonly kind: 'set';
  readonly variable: string;
  readonly value: string;
}

interface SwitchStep extends StepCommon {
  readonly kind: 'switch';
  readonly variable: string;
  readonly cases: readonly { readonly value: string; readonly steps: readonly Step[] }[];
  readonly default: readonly Step[];
}

interface IfStep extends StepCommon {
  readonly kind: 'if';
  readonly cond: string;
  readonly then: readonly Step[];
  readonly else: readonly Step[];
}

export interface ForEachStep extends StepCommon {
  readonly kind: 'for_each';
  readonly in: string;
  readonly as: string;
  readonly collect: string;
  /** The ceiling in force, the default put in. */
  readonly maxIterations: number;
  /** 0 when the skill does not say (format 2.5.0). */
  readonly concurrency: number;
  readonly steps: readonly Step[];
}

interface ParallelStep extends StepCommon {
  readonly kind: 'parallel';
  readonly collect: string;
  readonly branches: readonly (readonly Step[])[];
}

interface ExitStep extends StepCommon {
  readonly kind: 'exit';
  readonly reason: string;
}

export type Step =
  | InstructionStep
  | CallStep
  | DelegateStep
  | AskStep
  | SetStep
  | SwitchStep
  | IfStep
  | ForEachStep
  | ParallelStep
  | ExitStep;

/** The step lists nested in a step, in document order. The one place that knows where nesting can occur. */
export function nestedLists(step: Step): readonly (readonly Step[])[] {
  switch (step.kind) {
    case 'switch':
      return [...step.cases.map((branch) => branch.steps), step.default];
    case 'if':
      return [step.then, step.else];
    case 'for_each':
      return [step.steps];
    case 'parallel':
      return step.branches;
    default:
      return [];
  }
}

/** The step of a kind. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;
