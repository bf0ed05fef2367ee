import type { StepOutcome, TraceEvent } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { visibleRows, waterfall } from './waterfall.ts';

const place = (path: string) => ({ path, name: `step ${path}`, kind: 'instruction' as const, branch: false });
const started = (path: string, atMs: number): TraceEvent => ({ type: 'step.started', ...place(path), atMs });
const finished = (
  path: string,
  startedAtMs: number,
  durationMs: number,
  outcome: StepOutcome = 'ok',
): TraceEvent => ({
  type: 'step.finished',
  ...place(path),
  outcome,
  reason: '',
  calls: 0,
  callsFailed: 0,
  startedAtMs,
  durationMs,
});
const outcomes = (events: TraceEvent[]) =>
  Object.fromEntries(waterfall(events, 1000).rows.map(({ path, outcome }) => [path, outcome]));

describe('waterfall', () => {
  it('has a row for every step, in the order of the flow, whatever order they ended in', () => {
    const { rows, fromMs, toMs } = waterfall(
      [started('1', 120), started('0.i1.0', 110), finished('0.i1.0', 110, 5), finished('0.i0.0', 105, 50)],
      130,
    );
    expect(rows.map(({ path }) => path)).toEqual(['0.i0.0', '0.i1.0', '1']);
    expect([fromMs, toMs]).toEqual([105, 155]);
  });

  it('shows a step as running until it ends, and as stopped when the turn ended first', () => {
    const events = [started('0', 100)];
    expect(outcomes(events)).toEqual({ 0: 'running' });
    expect(outcomes([...events, { type: 'turn.finished', status: 'cancelled', atMs: 120 }])).toEqual({
      0: 'stopped',
    });
  });

  it('drops the rows of an iteration that was discarded, and no other ones', () => {
    const events: TraceEvent[] = [
      finished('0.i1.0', 1, 1),
      finished('0.i10.0', 1, 1),
      { type: 'steps.discarded', path: '0.i1', atMs: 3 },
    ];
    expect(Object.keys(outcomes(events))).toEqual(['0.i10.0']);
  });

  it('takes back what a reopened turn took back: the step that had failed runs again', () => {
    const events: TraceEvent[] = [
      started('0', 1),
      finished('0', 1, 1),
      started('1', 2),
      finished('1', 2, 1, 'error'),
      { type: 'turn.finished', status: 'failed', atMs: 4 },
      { type: 'turn.reopened', by: 'ops', jobId: 't.1' as never, how: 'redrive', voids: 1, atMs: 5 },
    ];
    expect(outcomes(events)).toEqual({ 0: 'ok', 1: 'running' });
    expect(outcomes([...events, finished('1', 6, 1)])).toEqual({ 0: 'ok', 1: 'ok' });
  });

  it('tells at a step what happened to its jobs', () => {
    const notice = { path: '0', jobId: 't.0' as never, attempt: 1, reason: 'HTTP 503', worker: 'w', atMs: 2 };
    const { rows } = waterfall([started('0', 1), { type: 'job.noticed', what: 'retried', ...notice }], 10);
    expect(rows[0]?.notices).toEqual([{ what: 'retried', attempt: 1, reason: 'HTTP 503', jobId: 't.0' }]);
  });
});

describe('visibleRows', () => {
  const { rows } = waterfall(
    ['0', '0.i0.0', '0.i0.0.t.0', '0.i1.0', '1'].map((path) => finished(path, 1, 1)),
    10,
  );

  it('nests rows by what they are inside of', () => {
    const shown = visibleRows(rows, () => true);
    expect(shown.map(({ row, depth, inside }) => [row.path, depth, inside])).toEqual([
      ['0', 0, 3],
      ['0.i0.0', 1, 1],
      ['0.i0.0.t.0', 2, 0],
      ['0.i1.0', 1, 0],
      ['1', 0, 0],
    ]);
  });

  it('leaves out what is inside a closed row', () => {
    expect(visibleRows(rows, (path) => path !== '0').map(({ row }) => row.path)).toEqual(['0', '1']);
  });
});
