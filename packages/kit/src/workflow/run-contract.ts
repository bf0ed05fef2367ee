import type {
  ActionEffect,
  Handshake,
  References,
  SkillDefinition,
  StepRecord,
} from '../definition/skill-definition.ts';
import type { PromptReturn } from '../definition/prompt-piece.ts';
import type { ErrorResult, PromptResult, WorkflowResult } from './result.ts';

export interface RunOptions {
  /** Checked against `params` of the skill when the run is opened; `{}` when absent. */
  readonly params?: unknown;
  /** What is absent: host `generic`, no tools reported, no sub-agent. */
  readonly handshake?: Partial<Handshake>;
  /** Absent: whoever loads a reference gets REFERENCE_MISSING. */
  readonly references?: References;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Gets one line for what is odd but stops nothing. */
  readonly warn?: (line: string) => void;
  /**
   * Hears of every prompt-less step that a call passed, in order, once the whole call has succeeded. The result that the
   * call returns repeats their records.
   */
  readonly onPassed?: (result: PromptResult) => void;
  /** true: a prompt-less step that has an action is returned as a prompt, so that the caller performs the action. */
  readonly stopAtActions?: boolean;
  /** true: leaving for a sub-skill or a topic ends the run with a redirect result instead of being followed. */
  readonly stopAtRedirects?: boolean;
  /** false: no observer is called. */
  readonly observers?: boolean;
}

/** An answer that was found good, and what is to be done before it is recorded. */
export interface Accepted {
  readonly step: string;
  /** As the schema gives it back; frozen. */
  readonly response: unknown;
  readonly action: AcceptedAction | null;
}

export interface AcceptedAction {
  /** Of an inline action: the name of its step. */
  readonly name: string;
  /** Of an inline action: the response. */
  readonly input: unknown;
  readonly effect: ActionEffect;
  readonly timeoutMs?: number;
}

/**
 * One way through a skill, plain or composite. It keeps its state in memory and does no I/O but that of the author's actions.
 *
 * Calls must come one after another. A call that throws leaves the run as it was before: nothing is recorded, and no observer
 * hears of it.
 */
export interface Run {
  readonly definition: SkillDefinition;
  /**
   * The step whose answer is expected now (`<sub-skill>/<step>` in a sub-skill); null before the start and after the end. After
   * a replay: where the last record leads to.
   */
  readonly current: string | null;
  /** Everything recorded so far; names of sub-skill steps are prefixed. */
  readonly history: readonly StepRecord[];
  /**
   * The first prompt, with the preamble. Prompt-less steps before it are passed and are in `autoAdvanced`.
   * @throws KitError as `complete`
   */
  start(signal?: AbortSignal): Promise<WorkflowResult>;
  /**
   * `accept`, `perform` and `complete` in one. Any step may be answered: who wants only the expected one compares `current`.
   * @throws KitError as these three
   */
  advance(step: string, raw: unknown, signal?: AbortSignal): Promise<WorkflowResult>;
  /**
   * Checks an answer and works out the input of the action. Records nothing.
   * @throws KitError ACTION_INPUT_INVALID, TARGET_UNKNOWN if the step names a sub-skill that is none
   */
  accept(step: string, raw: unknown): Accepted | ErrorResult;
  /**
   * Runs the action of an accepted answer and checks what it gives; undefined without an action.
   * @throws KitError ACTION_FAILED (also when `signal` aborts it), ACTION_TIMEOUT, ACTION_OUTPUT_INVALID
   */
  perform(accepted: Accepted, signal: AbortSignal): Promise<unknown>;
  /**
   * Saves, records and goes on to the next prompt, past prompt-less steps.
   * @param signal for the actions of prompt-less steps
   * @throws KitError NO_BRANCH, TARGET_UNKNOWN, CYCLE_GUARD, FINAL_OUTPUT_INVALID, and as `accept` and `perform`; also what the
   * author's functions throw
   */
  complete(accepted: Accepted, actionResult: unknown, signal?: AbortSignal): Promise<WorkflowResult>;
  /**
   * Takes up a history: an array of `{step, response, actionResult?}`. `save` runs again, actions and observers do not. What is
   * malformed is skipped with a warning.
   */
  replay(entries: unknown): void;
  /** What the prompt of a step is now, unrendered; undefined for a prompt-less step. */
  promptOf(step: string): PromptReturn | undefined;
  /** Waits for the observers that still run. */
  flush(): Promise<void>;
}
