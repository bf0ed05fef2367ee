import type { StepFinished, TurnOutcome } from '@skillyard/contracts';
import { exitCodeOfTurn } from './exit-code.ts';
import { formatDuration } from './format-duration.ts';
import { renderStepTable } from './step-table.ts';
import { oneLine, type Terminal } from './terminal.ts';

/** A finished turn, whichever driver ran it. */
export interface TurnReport {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  readonly steps: readonly StepFinished[];
  /** Rows of steps inside parallel branches. */
  readonly notices: readonly StepFinished[];
  readonly durationMs: number;
}

/** What is known beside the turn itself. */
export interface TurnContext {
  /** Where the step stands that failed: `file:line:column`. */
  readonly place?: string | undefined;
  /** What to do about the failure, where its message cannot know. */
  readonly hint?: string | undefined;
}

/**
 * Prints how a turn went: the answer on `out`, everything else on `err`; with `--json` one document.
 * @returns the exit code
 */
export function reportTurn(terminal: Terminal, report: TurnReport, known: TurnContext = {}): number {
  const { outcome } = report;
  const exitCode = exitCodeOfTurn(outcome);
  if (terminal.json) {
    terminal.document(turnDocument(report, known.place));
  } else {
    if (outcome.answer !== '') terminal.answer(outcome.answer);
    const rows = [...report.steps, ...report.notices];
    if (rows.length > 0) terminal.err(`\n${renderStepTable(rows, terminal)}\n`);
    for (const line of summary(report)) terminal.err(line);
  }
  // Whoever reads JSON from a pipe may still watch the terminal: a failure is said there too.
  if (exitCode !== 0) {
    terminal.err(terminal.colors.red(verdict(outcome)));
    if (known.place !== undefined) terminal.err(`  at ${known.place}`);
    if (known.hint !== undefined) terminal.err(`  ${known.hint}`);
  } else if (!terminal.json) {
    terminal.err(terminal.colors.green('completed'));
  }
  return exitCode;
}

/** What `run --json` and `watch --json` print. */
export function turnDocument(report: TurnReport, place: string | undefined): object {
  const { turnId, outcome, steps, notices, durationMs } = report;
  return { turnId, ...outcome, ...(place !== undefined && { place }), steps, notices, durationMs };
}

function summary(report: TurnReport): string[] {
  const { outcome } = report;
  const lines: string[] = [];
  if (outcome.answer === '' && outcome.status === 'completed') {
    const { answer, ...others } = outcome.vars;
    const names = Object.keys(others);
    const what = answer === undefined ? 'no step wrote `answer`' : '`answer` is empty';
    const none = answer === undefined ? `${what}, nor any other variable` : what;
    lines.push(
      names.length === 0 ? none : `${what}; written: ${names.join(', ')} (--json shows their values)`,
    );
  }
  if (outcome.skipped.length > 0) lines.push(`skipped: ${countedNames(outcome.skipped)}`);
  for (const { claim, passed } of outcome.requirements ?? [])
    lines.push(`requirement ${passed ? 'passed' : 'failed'}: ${oneLine(claim, 500)}`);
  const { inputTokens, outputTokens, generations, calls } = outcome.usage;
  lines.push(
    `tokens: ${count(inputTokens)} in, ${count(outputTokens)} out; ` +
      `${plural(generations, 'generation')}, ${plural(calls, 'call')}, ${formatDuration(report.durationMs)}`,
  );
  return lines;
}

/** Names in the order they first appear; a step of a loop may be among them a thousand times. */
function countedNames(names: readonly string[]): string {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times]
    .map(([name, many]) => `${oneLine(name, 60)}${many === 1 ? '' : ` (${many} times)`}`)
    .join(', ');
}

/** How a turn ended, in one line. */
export function verdict(outcome: TurnOutcome): string {
  const error = outcome.error;
  switch (outcome.status) {
    case 'completed':
      return 'completed';
    case 'exited':
    case 'refused':
    case 'blocked':
    case 'requirement_failed': {
      const reason = oneLine(outcome.exitReason ?? '', 2000) || 'no reason given';
      return `${outcome.status.replace('_', ' ')}: ${reason}`;
    }
    case 'denied':
    case 'failed':
      return error === null ? outcome.status : `error ${error.code}: ${error.message}`;
    case 'cancelled':
      return `cancelled: ${error?.message ?? 'the turn was stopped'}`;
  }
}

/** A number for people: with commas between its thousands. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}
