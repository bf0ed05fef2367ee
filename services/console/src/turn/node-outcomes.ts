import { nodeOf } from './step-path.ts';
import type { Row, RowOutcome } from './waterfall.ts';

/** What became of a node of the flow graph: of all the steps that it stands for. */
export interface NodeOutcome {
  /** The one that wants attention most. */
  readonly outcome: RowOutcome;
  /** How often it ran; skipped ones are not counted. */
  readonly times: number;
  /** Of the step that `outcome` is of. */
  readonly path: string;
}

/** The worse one comes later. */
const ATTENTION: readonly RowOutcome[] = [
  'skipped',
  'ok',
  'exit',
  'stopped',
  'truncated',
  'degraded',
  'running',
  'denied',
  'error',
];

/** Adds up the rows of a turn by the nodes of its graph. */
export function nodeOutcomes(rows: readonly Row[]): Map<string, NodeOutcome> {
  const found = new Map<string, NodeOutcome>();
  for (const { path, outcome } of rows) {
    const id = nodeOf(path);
    const before = found.get(id);
    const times = (before?.times ?? 0) + (outcome === 'skipped' ? 0 : 1);
    const worse =
      before === undefined || ATTENTION.indexOf(outcome) > ATTENTION.indexOf(before.outcome)
        ? { outcome, path }
        : { outcome: before.outcome, path: before.path };
    found.set(id, { ...worse, times });
  }
  return found;
}
