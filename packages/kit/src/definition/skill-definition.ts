/**
 * A skill as data: what the builder makes and everything else reads. The names and shapes of callbacks are those of the
 * authoring API with the types erased; only `builder/` knows the typed form.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type {
  AskUserConfig,
  ChecklistConfig,
  ConfirmConfig,
  PlanConfig,
  SubagentConfig,
  SurveyQuestion,
} from './primitive-config.ts';
import type { ActSegment, PromptReturn, SystemTag } from './prompt-piece.ts';

export type {
  AskUserConfig,
  ChecklistConfig,
  ConfirmConfig,
  Option,
  PlanConfig,
  SubagentConfig,
  SurveyQuestion,
} from './primitive-config.ts';

/** Any validator that speaks Standard Schema: ArkType, Zod 4, Valibot. */
export type AnySchema = StandardSchemaV1;

/** Who runs the skill, as far as it says so. */
export interface Handshake {
  /** A known host such as `claude-code`, or any other name. */
  readonly host: string;
  /** What was reported; empty when nothing was. */
  readonly toolsAvailable: readonly string[];
  readonly isSubagent: boolean;
}

/** Reads files that lie beside the skill. */
export interface References {
  /**
   * The text of `references/<file>`.
   * @throws KitError REFERENCE_MISSING
   */
  load(file: string): string;
  /** The absolute path of a file of the skill's folder. */
  asset(path: string): string;
}

/** One step as it was recorded. */
export interface StepRecord {
  readonly step: string;
  readonly response: unknown;
  readonly actionResult?: unknown;
  /** What `store.steps.<step>` gives. */
  readonly result: unknown;
}

/** State of a workflow as callbacks see it. Live: a kept accessor sees later steps. */
export interface StoreAccessor {
  readonly steps: StepResults;
  readonly [subStore: string]: unknown;
}

export interface StepResults {
  /** The results of every visit of a step. */
  all(step: string): readonly unknown[];
  ran(step: string): boolean;
  readonly history: readonly StepRecord[];
  /** The result of the latest visit. */
  readonly [step: string]: unknown;
}

export interface PromptContext {
  readonly store: StoreAccessor;
  readonly params: unknown;
  readonly refs: References;
  /** Visits of this step before this one. */
  readonly attempts: number;
  readonly host: Handshake;
  readonly act: Act;
  readonly system: SystemTag;
}

export interface TransitionContext {
  readonly response: unknown;
  readonly actionResult: unknown;
  /** Visits of this step, this one included. */
  readonly attempts: number;
  readonly params: unknown;
  readonly store: StoreAccessor;
}

export interface ActionContext {
  readonly response: unknown;
  readonly store: StoreAccessor;
  readonly params: unknown;
  readonly signal: AbortSignal;
}

export interface SaveContext {
  readonly response: unknown;
  readonly actionResult: unknown;
  readonly store: StoreAccessor;
  readonly params: unknown;
}

export interface Terminal {
  readonly terminal: true;
}

export interface NextBranch {
  readonly to: string;
  readonly when?: ((context: TransitionContext) => unknown) | undefined;
}

export type NextValue =
  | string
  | Terminal
  | readonly NextBranch[]
  | ((context: TransitionContext) => string | Terminal);

/** What a repeat of an action may do: `once` (the default) is never repeated by the platform, the others may be. */
export type ActionEffect = 'once' | 'idempotent' | 'read';

/** A named side effect with a contract. */
export interface ActionDefinition {
  readonly kind: 'action';
  readonly name: string;
  readonly input: AnySchema;
  readonly output: AnySchema;
  readonly effect: ActionEffect;
  /** Milliseconds after which its signal is aborted; absent: none. */
  readonly timeoutMs?: number;
  readonly run: (context: { readonly input: unknown; readonly signal: AbortSignal }) => unknown;
}

export interface ActionUse {
  readonly run: ActionDefinition;
  readonly mapInput?: ((context: Omit<ActionContext, 'signal'>) => unknown) | undefined;
}

export type InlineAction = (context: ActionContext) => unknown;

export type PromptValue = PromptReturn | ((context: PromptContext) => PromptReturn);

export interface StepConfig {
  readonly prompt?: PromptValue | undefined;
  readonly response?: AnySchema | undefined;
  readonly next: NextValue;
  readonly action?: ActionUse | InlineAction | undefined;
  readonly save?: ((context: SaveContext) => unknown) | undefined;
  readonly maxVisits?: number | undefined;
  readonly onMaxVisits?: string | undefined;
}

/** Read-only callbacks. See docs/kit for when each is called and with what. */
export interface ObserverMap {
  readonly onStepStart?: (event: { step: string; params: unknown }) => unknown;
  readonly onStepComplete?: (event: { step: string; response: unknown; durationMs: number }) => unknown;
  readonly onStepValidationFailed?: (event: {
    step: string;
    raw: unknown;
    error: string;
    attempt: number;
  }) => unknown;
  readonly onTransition?: (event: {
    from: string;
    to: string;
    reason: 'next' | 'redirect' | 'terminal';
  }) => unknown;
  readonly onSkillComplete?: (event: { path: string[]; finalOutput: unknown; durationMs: number }) => unknown;
}

export interface TopicConfig {
  readonly label: string;
  readonly content: (context: { readonly refs: References }) => string;
}

export interface SubskillUse {
  readonly definition: SkillDefinition;
  readonly params?: ((response: unknown, store: StoreAccessor) => unknown) | undefined;
}

/** What goes into the front matter of the generated SKILL.md. */
export interface FrontMatter {
  readonly argumentHint?: string | undefined;
  readonly arguments?: string | readonly string[] | undefined;
  readonly allowedTools?: string | readonly string[] | undefined;
  readonly paths?: string | readonly string[] | undefined;
  readonly context?: string | undefined;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly disableModelInvocation?: boolean | undefined;
  readonly userInvocable?: boolean | undefined;
}

/** What a turn of the platform is bounded by and may reach, when the skill runs hosted. */
export interface HostedSettings {
  /** Tool servers that the model of a step may use: `server` or `server:tool`. */
  readonly tools?: readonly string[];
  /** A model of the configuration; absent: the default one. */
  readonly model?: string;
  /** Answers a step may get wrong before the turn fails; 3 when absent. */
  readonly maxRetries?: number;
  /** How long a question waits for its answer; absent: for ever. */
  readonly askTimeoutMs?: number;
  readonly limits?: {
    readonly generations?: number;
    readonly calls?: number;
    readonly tokens?: number;
    readonly seconds?: number;
  };
}

export interface SkillDefinition extends FrontMatter {
  readonly kind: 'skill';
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly entry: string;
  readonly system: string | undefined;
  readonly params: AnySchema | undefined;
  readonly steps: Readonly<Record<string, StepConfig>>;
  readonly stores?: Readonly<Record<string, AnySchema>>;
  readonly observers: ObserverMap | undefined;
  readonly finalOutput: AnySchema | undefined;
  readonly skillMd: string | ((generated: string) => string) | undefined;
  readonly resolveVersion: boolean;
  readonly package: Readonly<Record<string, unknown>> | undefined;
  readonly subskills?: Readonly<Record<string, SubskillUse>>;
  readonly topics?: Readonly<Record<string, TopicConfig>>;
  readonly hosted?: HostedSettings;
}

export interface ReferenceDefinition extends FrontMatter {
  readonly kind: 'reference';
  readonly name: string;
  readonly version: string;
  readonly resolveVersion: boolean;
  readonly description: string;
  readonly package: Readonly<Record<string, unknown>> | undefined;
  readonly topics: Readonly<Record<string, TopicConfig>>;
}

export interface ModuleDefinition {
  readonly kind: 'module';
  readonly name: string;
  readonly entry: string;
  readonly steps: Readonly<Record<string, StepConfig>>;
}

/** Everything `kit build` makes something of. */
export type Buildable = SkillDefinition | ReferenceDefinition;

/** Makes the segments of primitives; the object itself is in `primitives/`. */
export interface Act {
  askUser(config: AskUserConfig): ActSegment;
  confirm(config: ConfirmConfig): ActSegment;
  plan(config: PlanConfig): ActSegment;
  checklist(config: ChecklistConfig): ActSegment;
  subagent(config: SubagentConfig): ActSegment;
  survey(questions: readonly SurveyQuestion[]): ActSegment;
}
