import type { Mode } from '@skillyard/engine';
import { exitCodeOfTurn } from './exit-code.ts';
import { formatDuration } from './format-duration.ts';
import { plainTable } from './plain-table.ts';
import { count, turnDocument, type TurnReport, verdict } from './report-turn.ts';
import type { Terminal } from './terminal.ts';

/** How one description of a skill did on the input that both were given. */
export interface ComparedTurn {
  readonly mode: Mode;
  readonly report: TurnReport;
  /** Where the step stands that failed: `file:line:column`. */
  readonly place: string | undefined;
}

/**
 * Prints turns of one input side by side on `out`, then what each answered; with `--json` one document.
 * @returns the exit code: that of the first turn that did not complete
 */
export function reportComparison(terminal: Terminal, turns: readonly ComparedTurn[]): number {
  if (terminal.json) {
    terminal.document({
      turns: turns.map(({ mode, report, place }) => ({ mode, ...turnDocument(report, place) })),
    });
  } else {
    for (const line of renderComparison(turns, terminal)) terminal.out(line);
    for (const { mode, report } of turns) {
      terminal.out(`\n${terminal.colors.dim(`${mode}:`)}`);
      terminal.answer(report.outcome.answer);
    }
  }
  for (const { mode, report, place } of turns) {
    if (exitCodeOfTurn(report.outcome) === 0) continue;
    terminal.err(terminal.colors.red(`${mode}: ${verdict(report.outcome)}`));
    if (place !== undefined) terminal.err(`  at ${place}`);
  }
  return turns.map(({ report }) => exitCodeOfTurn(report.outcome)).find((code) => code !== 0) ?? 0;
}

/** What is compared, one line each. */
const MEASURES: readonly (readonly [name: string, of: (report: TurnReport) => string])[] = [
  ['outcome', ({ outcome }) => outcome.status],
  ['generations', ({ outcome }) => count(outcome.usage.generations)],
  ['calls', ({ outcome }) => count(outcome.usage.calls)],
  ['tokens in', ({ outcome }) => count(outcome.usage.inputTokens)],
  ['tokens out', ({ outcome }) => count(outcome.usage.outputTokens)],
  ['time', ({ durationMs }) => formatDuration(durationMs)],
];

function renderComparison(turns: readonly ComparedTurn[], terminal: Terminal): string[] {
  return plainTable(
    ['', ...turns.map(({ mode }) => mode)].map((text) => terminal.colors.dim(text)),
    ['left', ...turns.map(() => 'right' as const)],
    MEASURES.map(([name, of]) => [name, ...turns.map(({ report }) => of(report))]),
  );
}
