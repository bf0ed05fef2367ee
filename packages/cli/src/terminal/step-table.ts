import type { StepFinished } from '@skillyard/contracts';
import { formatDuration } from './format-duration.ts';
import { paintOutcome } from './paint-outcome.ts';
import { plainTable } from './plain-table.ts';
import { stepLabel } from './step-label.ts';
import { oneLine, type Terminal } from './terminal.ts';

/** More rows than these help nobody; `--json` has all of them. */
const MAX_ROWS = 100;

/** The rows of a trace as a table; of a long one, those that matter. */
export function renderStepTable(steps: readonly StepFinished[], terminal: Terminal): string {
  const shown = selectRows(steps);
  const lines = plainTable(
    ['step', 'kind', 'outcome', 'calls', 'duration', 'reason'].map((text) => terminal.colors.dim(text)),
    ['left', 'left', 'left', 'right', 'right', 'left'],
    shown.map((step) => row(step, terminal)),
  );
  const hidden = steps.length - shown.length;
  if (hidden > 0) lines.push(terminal.colors.dim(`and ${hidden} more rows, see --json`));
  return lines.join('\n');
}

/** Of a long trace: what went otherwise than well, then what is outside loops, as far as there is room. */
function selectRows(steps: readonly StepFinished[]): readonly StepFinished[] {
  if (steps.length <= MAX_ROWS) return steps;
  const troubled = steps.filter((step) => step.outcome !== 'ok' && step.outcome !== 'skipped');
  const outside = steps.filter((step) => !/\.i\d+\./.test(step.path));
  const chosen = new Set([...troubled.slice(-MAX_ROWS / 2), ...outside].slice(0, MAX_ROWS));
  return steps.filter((step) => chosen.has(step));
}

function row(step: StepFinished, terminal: Terminal): string[] {
  const failed = step.callsFailed > 0 ? ` (${step.callsFailed} failed)` : '';
  return [
    stepLabel(step),
    step.kind,
    paintOutcome(step.outcome, terminal.colors),
    step.calls === 0 ? '' : `${step.calls}${failed}`,
    formatDuration(step.durationMs),
    oneLine(reasonOf(step), Math.max(30, terminal.columns - 60)),
  ];
}

/** For a loop that ran several iterations at once, that is part of the story. */
function reasonOf(step: StepFinished): string {
  if (step.loop === undefined || step.loop.concurrency === 1) return step.reason;
  const plan = `${step.loop.concurrency} at once`;
  return step.reason === '' ? plan : `${step.reason}; ${plan}`;
}
