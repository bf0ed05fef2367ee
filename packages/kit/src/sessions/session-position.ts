import type { SkillDefinition, StepRecord } from '../definition/skill-definition.ts';
import {
  isOutputLine,
  isResultLine,
  type OutputLine,
  type ResultLine,
  type SessionLine,
} from './session-line.ts';
import type { WorkflowResult } from '../workflow/result.ts';
import { isPromptless } from './step-lookup.ts';

/** An answer and what came of it. */
export interface SettledAnswer {
  /** null: the result of the start. */
  readonly answer: OutputLine | null;
  readonly result: WorkflowResult;
  /** The number of the line of the result, from 1. */
  readonly line: number;
}

/** Where a session stands, by its lines. */
export interface SessionPosition {
  readonly history: readonly StepRecord[];
  /** The step whose answer is expected; null after the end, and when the start did not succeed. */
  readonly expected: string | null;
  readonly ended: boolean;
  /** Results so far that are no errors. */
  readonly accepted: number;
  /** The last answer, when it has no result yet. */
  readonly pending: OutputLine | null;
  readonly last: SettledAnswer | null;
  /** The last that is no error. */
  readonly lastAccepted: SettledAnswer | null;
  /** The number of a line after the last result that cannot be read; null when all can. */
  readonly unreadable: number | null;
  /** The sub-skill that the session was begun in, past the dispatcher. */
  readonly direct: string | null;
}

/**
 * Reads where a session stands.
 *
 * A result is written together with a line for every prompt-less step that was passed on the way to it. Such lines count only
 * with the result they precede: a crash can leave them without it, and then the answer is taken again.
 */
export function readPosition(
  definition: SkillDefinition,
  lines: readonly (SessionLine | null)[],
): SessionPosition {
  const history: StepRecord[] = [];
  let pending: OutputLine | null = null;
  let last: SettledAnswer | null = null;
  let lastAccepted: SettledAnswer | null = null;
  let unreadable: number | null = null;
  let accepted = 0;
  for (const [index, line] of lines.entries()) {
    if (line === null) unreadable = index + 1;
    else if (isOutputLine(line)) [pending, unreadable] = [line, null];
    else if (isResultLine(line) && isFinal(definition, line)) {
      const result = restore(lines, index, line);
      last = { answer: pending, result, line: index + 1 };
      [pending, unreadable] = [null, null];
      if (result.kind === 'error') continue;
      lastAccepted = last;
      accepted += 1;
      if (result.completed !== undefined) history.push(result.completed);
      history.push(...(result.autoAdvanced ?? []));
    }
  }
  const current = lastAccepted?.result;
  return {
    history,
    expected: current?.kind === 'prompt' ? current.step : null,
    ended: current !== undefined && current.kind !== 'prompt',
    accepted,
    pending,
    last,
    lastAccepted,
    unreadable,
    direct: directOf(lines),
  };
}

function isFinal(definition: SkillDefinition, line: ResultLine): boolean {
  return line.kind !== 'prompt' || !isPromptless(definition, line.step);
}

/**
 * The result that a line was made of. `completed` of the line is the record that was made last; the answered step is that of
 * the first of the lines that belong to the result.
 */
function restore(lines: readonly (SessionLine | null)[], index: number, line: ResultLine): WorkflowResult {
  const { type: _, ...result } = line;
  if (result.kind === 'error' || result.autoAdvanced === undefined) return result;
  const first = lines[index - result.autoAdvanced.length];
  const answered =
    first !== undefined && first !== null && isResultLine(first) && first.kind === 'prompt'
      ? first.completed
      : undefined;
  const { completed: _last, ...rest } = result;
  return answered === undefined ? rest : { ...result, completed: answered };
}

function directOf(lines: readonly (SessionLine | null)[]): string | null {
  const first = lines.find((line) => line !== null && isResultLine(line));
  if (first === undefined || first === null || !isResultLine(first) || first.kind !== 'prompt') return null;
  const slash = first.step.indexOf('/');
  return slash === -1 ? null : first.step.slice(0, slash);
}
