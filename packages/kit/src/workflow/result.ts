/** What a workflow answers: the results of the CLI and of the MCP server are made of these. */
import type { StoreAccessor, StepRecord } from '../definition/skill-definition.ts';

/** The prompt of a step. Key order is the order in which it is written. */
export interface PromptResult {
  readonly kind: 'prompt';
  readonly step: string;
  /** Of a start only. */
  readonly preamble?: string;
  readonly prompt: string;
  /** JSON Schema of the answer; null when anything may be answered. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** The step that was answered. */
  readonly completed?: StepRecord;
  /** The prompt-less steps passed after it, in order: `[completed, ...autoAdvanced]` is all that is new in the history. */
  readonly autoAdvanced?: readonly StepRecord[];
}

export interface DoneResult {
  readonly kind: 'done';
  readonly done: true;
  readonly finalOutput: unknown;
  readonly completed?: StepRecord;
  readonly autoAdvanced?: readonly StepRecord[];
}

/** An answer that was refused. `retry`: the same step may be answered again. */
export interface ErrorResult {
  readonly kind: 'error';
  readonly error: 'validation';
  readonly step: string;
  readonly message: string;
  readonly retry: boolean;
}

/** A dispatcher leaves for a sub-skill or a topic. */
export interface RedirectResult {
  readonly kind: 'redirect';
  readonly redirect: string;
  /** Absent when a start leaves, through prompt-less steps. */
  readonly completed?: StepRecord;
  readonly store: StoreAccessor;
  readonly autoAdvanced?: readonly StepRecord[];
}

export type WorkflowResult = PromptResult | DoneResult | ErrorResult | RedirectResult;
export type CliResult = WorkflowResult;

export function isPrompt(result: WorkflowResult): result is PromptResult {
  return result.kind === 'prompt';
}

export function isDone(result: WorkflowResult): result is DoneResult {
  return result.kind === 'done';
}

export function isError(result: WorkflowResult): result is ErrorResult {
  return result.kind === 'error';
}

export function isRedirect(result: WorkflowResult): result is RedirectResult {
  return result.kind === 'redirect';
}
