/**
 * The state of a turn: a map of small records, all plain JSON.
 *
 * Every record carries its own key, so that a driver can store the touched ones and load them back without knowing what
 * they mean. Short names where thousands of records may live at once.
 */
import type {
  CodeEvent,
  Directive,
  JobId,
  Requirement,
  StepError,
  ToolReply,
  ToolRequest,
  TurnId,
  TurnStop,
  TurnUsage,
  Vocabulary,
} from '@skillyard/contracts';
import type { MemoryAnswer } from '../flow/environment.ts';

/** What an operator decides about a turn. Fixed at its start. */
export interface TurnSettings {
  /** `off` walks every loop in order, whatever is known of its body. */
  readonly fanOut: 'auto' | 'off';
  /** Iterations of one loop in flight when the skill does not say. */
  readonly window: number;
  readonly vocabulary: Vocabulary;
  /** Tools that may be repeated: `server` or `server:tool` to its effect. Everything else is `once`. */
  readonly effects: Readonly<Record<string, 'once' | 'idempotent' | 'read'>>;
}

/** How a turn or a scope was stopped. For all but an error and a denial the message is the reason that was given. */
export interface Failure {
  readonly kind: 'error' | 'denied' | 'exit' | TurnStop['status'];
  readonly code: string;
  readonly message: string;
}

/** The header of a turn. */
export interface TurnHeader {
  readonly key: 'turn';
  readonly id: TurnId;
  readonly startedAtMs: number;
  readonly settings: TurnSettings;
  /** What the turn may reach, where the sources of its skill bound that. */
  readonly radius?: readonly string[];
  /** Whether any `.mem` variable may exist; until then, writes need not look for one to remove. */
  handles: boolean;
  ended: boolean;
  /** The result of a job made it certain that it ends as failed, once what still runs has ended. */
  doomed?: true;
  /** How often an operator let it go on after it had ended, and when the last time. */
  readonly reopened?: { readonly times: number; readonly atMs: number };
}

/** What a turn has spent. It changes with nearly every step, and nothing else of the header does. */
export interface UsageRecord extends TurnUsage {
  readonly key: 'usage';
}

/** Inputs and the flow's own vars: what the root scope reads and never returns. */
export interface InputRecord {
  readonly key: 'input';
  readonly vars: Record<string, string>;
}

/** A position in a list of steps. `path` ends where the index of the step goes. */
export interface ListFrame {
  readonly kind: 'list';
  readonly list: number;
  readonly path: string;
  index: number;
}

/** A loop that is walked in order, inside the scope it stands in. */
export interface LoopFrame {
  readonly kind: 'loop';
  readonly list: number;
  readonly index: number;
  readonly path: string;
  readonly startedAtMs: number;
  readonly total: number;
  readonly dropped: number;
  readonly picked: boolean;
  /** Names skipped before the loop; what comes after belongs to the iteration that runs. */
  readonly skippedBefore: number;
  /** The iteration that runs; -1 before the first. */
  item: number;
  failed: number;
  /** What the last failed iteration failed with. */
  note: Failure | null;
}

/**
 * A turn whose control flow is code: what the code wants done is done below this frame, and then it is asked again.
 * Exactly one of `event` and `directive` is set.
 */
export interface CodeFrame {
  readonly kind: 'code';
  readonly list: number;
  readonly index: number;
  readonly path: string;
  readonly startedAtMs: number;
  /** Decisions made so far: so many rounds the journal has. */
  rounds: number;
  /** What the code wanted done so far, numbered: part of the paths of what was done. */
  done: number;
  /** Rounds of the one conversation that all generations of the code are part of. */
  talked: number;
  /** Generations so far, by step. */
  readonly generations: Record<string, number>;
  /** What happened, when a decision is wanted. */
  event: CodeEvent | null;
  /** What is being done for the code. */
  directive: WorkDirective | null;
}

/** What the code wants done that somebody has to do. */
export type WorkDirective = Exclude<Directive, { readonly do: 'end' }>;

export type Frame = ListFrame | LoopFrame | CodeFrame;

/** A step of a scope that is waiting for something outside. */
export interface StepState {
  readonly startedAtMs: number;
  /** `enter`: evaluated anew when its needs are there. `model`, `tools`, `job`: a job runs. `settle`: its result is
   * there, a value it needs is not. `join`: children run. */
  stage: 'enter' | 'model' | 'tools' | 'job' | 'settle' | 'join';
  attempt: number;
  round: number;
  calls: number;
  callsFailed: number;
  misses: number;
  inputTokens: number;
  outputTokens: number;
  /** Why the step will be degraded, best reason first. */
  note: string;
  /** No more calls: the next generation is the answer. */
  final: boolean;
  truncated: boolean;
  /** The result, while `settle` waits. */
  text: string;
  /** The server that `on_server` came to, for later rounds. */
  server: string;
  /** Calls of the current attempt that count against `max_calls`. */
  used: number;
  /** Calls the model asked for in this round, and the replies so far; null while a call runs. */
  requests: ToolRequest[];
  replies: (ToolReply | null)[];
}

/** A part of a turn that runs in order and owns what it writes. Reads fall through to the scope around it. */
export interface ScopeRecord {
  readonly key: string;
  /** Empty for the root. */
  readonly path: string;
  /** Path of the scope around it; null for the root. */
  readonly parent: string | null;
  /** Key of the fork it belongs to; null for the root. */
  readonly fork: string | null;
  /** Whether a parallel branch is around it: its rows are notices. */
  readonly branch: boolean;
  /** What it wrote; null marks a variable it removed. */
  vars: Record<string, string | null>;
  /** Names in the order they were first written. Kept below the root only, where they are merged and collected. */
  order: string[];
  /** Names that hold a loop's item. */
  items: string[];
  answeredBy: '' | 'instruction' | 'call' | 'delegate' | 'ask' | 'code';
  skipped: string[];
  /** What a program claimed, once it has ended. */
  requirements?: readonly Requirement[];
  frames: Frame[];
  step: StepState | null;
  /** Jobs it waits for. */
  open: JobId[];
  /** Values from working memory that the current evaluation asked for. */
  needs: Record<string, MemoryAnswer> | null;
  /** Memory jobs under way, and which need each will answer. */
  asking: Record<JobId, string> | null;
  /** Memory jobs asked for so far: part of their ids. */
  asked: number;
}

/** The items a loop walks: written once. */
export interface LoopRecord {
  readonly key: string;
  readonly items: string[];
}

/** Children of a scope that run at once: the branches of a parallel step or the iterations of a loop. */
export interface ForkRecord {
  readonly key: string;
  readonly path: string;
  readonly scope: string;
  readonly list: number;
  readonly index: number;
  readonly startedAtMs: number;
  /** Iterations or branches in all. */
  readonly total: number;
  readonly window: number;
  readonly dropped: number;
  readonly picked: boolean;
  next: number;
  open: number;
  /** Children from here on are not started, and void if they were: an earlier one ended the loop. */
  limit: number;
}

/** What a finished iteration or branch left. */
export interface ItemRecord {
  readonly key: string;
  readonly collected: string;
  readonly skipped: string[];
  /** What ended it, if it did not reach its end. */
  readonly failure: Failure | null;
  /** What a scope of its own wrote; null for an iteration that ran inside the scope of its loop. */
  readonly writes: ScopeWrites | null;
}

/** What a scope wrote, ready to be merged into the scope around it. */
export interface ScopeWrites {
  readonly vars: Record<string, string | null>;
  readonly order: readonly string[];
  readonly items: readonly string[];
  readonly answeredBy: ScopeRecord['answeredBy'];
}

/** An asset of the turn, asked for at most once; with other args it is another one. */
export interface AssetRecord {
  readonly key: string;
  readonly name: string;
  readonly jobId: JobId;
  ready: boolean;
  text: string;
  error: StepError | null;
  note: string;
  /** Paths of the scopes that wait for it. */
  waiters: string[];
}

export type StateRecord =
  | TurnHeader
  | UsageRecord
  | InputRecord
  | ScopeRecord
  | LoopRecord
  | ForkRecord
  | ItemRecord
  | AssetRecord;
