import type {
  JobNotice,
  LoopPlan,
  StepKind,
  StepOutcome,
  TokenUsage,
  TraceEvent,
} from '@skillyard/contracts';
import { ancestorsOf, comparePaths } from './step-path.ts';

/** What became of a step; `running` until its end is told, `stopped` when the turn ended before. */
export type RowOutcome = StepOutcome | 'running' | 'stopped';

/** Something that happened to a job of a step on its way. */
interface RowNotice {
  readonly what: JobNotice;
  readonly attempt: number;
  readonly reason: string;
  readonly jobId: string;
}

/** One step of a turn as the waterfall draws it. */
export interface Row {
  readonly path: string;
  readonly name: string;
  readonly kind: StepKind;
  readonly outcome: RowOutcome;
  readonly reason: string;
  readonly startedAtMs: number;
  /** null while it runs. */
  readonly durationMs: number | null;
  readonly calls: number;
  readonly callsFailed: number;
  readonly usage: TokenUsage | null;
  readonly loop: LoopPlan | null;
  readonly notices: readonly RowNotice[];
}

/** The steps of a turn, from what its trace has told so far. */
export interface Waterfall {
  /** In the order of the flow. */
  readonly rows: readonly Row[];
  /** Span of time that the rows lie in. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly ended: boolean;
}

/**
 * Makes rows of events.
 * @param nowMs what a step that runs is drawn up to
 */
export function waterfall(events: readonly TraceEvent[], nowMs: number): Waterfall {
  const rows = new Map<string, Row>();
  const notices = new Map<string, RowNotice[]>();
  let endedAtMs: number | null = null;
  let fromMs: number | null = null;
  for (const event of withoutVoid(events)) {
    switch (event.type) {
      case 'turn.started':
        fromMs ??= event.atMs;
        break;
      case 'turn.finished':
        endedAtMs = event.atMs;
        break;
      case 'turn.reopened':
        endedAtMs = null;
        break;
      case 'step.started':
        rows.set(event.path, startedRow(event));
        break;
      case 'step.finished':
        rows.set(event.path, finishedRow(event));
        break;
      case 'steps.discarded':
        for (const path of rows.keys()) if (isBelow(path, event.path)) rows.delete(path);
        break;
      case 'job.noticed': {
        const { what, attempt, reason, jobId, path } = event;
        notices.set(path, [...(notices.get(path) ?? []), { what, attempt, reason, jobId }]);
        break;
      }
      // The row of the step says how it went, and the outcome what was claimed.
      case 'requirement.checked':
      case 'question.asked':
      case 'question.answered':
      case 'question.expired':
      case 'step.observed':
        break;
    }
  }
  const all = [...rows.values()].map((row): Row => ({
    ...row,
    outcome: row.outcome === 'running' && endedAtMs !== null ? 'stopped' : row.outcome,
    notices: notices.get(row.path) ?? [],
  }));
  const ends = all.map((row) => row.startedAtMs + (row.durationMs ?? 0));
  return {
    rows: all.toSorted((a, b) => comparePaths(a.path, b.path)),
    fromMs: all.reduce((least, row) => Math.min(least, row.startedAtMs), fromMs ?? nowMs),
    toMs: ends.reduce((most, end) => Math.max(most, end), endedAtMs ?? nowMs),
    ended: endedAtMs !== null,
  };
}

/** The rows to show: those that are not inside a closed one, with how deep they are nested and what they hold. */
export interface VisibleRow {
  readonly row: Row;
  readonly depth: number;
  /** Rows directly or indirectly inside it. */
  readonly inside: number;
}

/** @param isOpen whether a row that holds others shows them */
export function visibleRows(
  rows: readonly Row[],
  isOpen: (path: string, inside: number) => boolean,
): VisibleRow[] {
  const inside = new Map<string, number>();
  const known = new Set(rows.map(({ path }) => path));
  for (const { path } of rows) {
    for (const around of ancestorsOf(path)) inside.set(around, (inside.get(around) ?? 0) + 1);
  }
  const shown: VisibleRow[] = [];
  for (const row of rows) {
    const around = ancestorsOf(row.path).filter((path) => known.has(path));
    if (around.every((path) => isOpen(path, inside.get(path) ?? 0))) {
      shown.push({ row, depth: around.length, inside: inside.get(row.path) ?? 0 });
    }
  }
  return shown;
}

/** Leaves out what a reopened turn took back. A step that had begun and was taken back begins again. */
function withoutVoid(events: readonly TraceEvent[]): TraceEvent[] {
  const kept: TraceEvent[] = [];
  for (const event of events) {
    if (event.type === 'turn.reopened') {
      let left = event.voids;
      for (let at = kept.length - 1; at >= 0 && left > 0; at--) {
        const type = kept[at]?.type;
        if (type !== 'step.finished' && type !== 'steps.discarded') continue;
        kept.splice(at, 1);
        left--;
      }
    }
    kept.push(event);
  }
  return kept;
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}.`);
}

function startedRow(event: Extract<TraceEvent, { type: 'step.started' }>): Row {
  const { path, name, kind, atMs } = event;
  return {
    path,
    name,
    kind,
    outcome: 'running',
    reason: '',
    startedAtMs: atMs,
    durationMs: null,
    calls: 0,
    callsFailed: 0,
    usage: null,
    loop: null,
    notices: [],
  };
}

function finishedRow(event: Extract<TraceEvent, { type: 'step.finished' }>): Row {
  const { path, name, kind, outcome, reason, startedAtMs, durationMs, calls, callsFailed } = event;
  return {
    path,
    name,
    kind,
    outcome,
    reason,
    startedAtMs,
    durationMs,
    calls,
    callsFailed,
    usage: event.usage ?? null,
    loop: event.loop ?? null,
    notices: [],
  };
}
