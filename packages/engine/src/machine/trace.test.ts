import type { JobId, TraceEvent } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { assembleTrace } from './trace.ts';

const row = (path: string, outcome: 'ok' | 'error' = 'ok'): TraceEvent => ({
  type: 'step.finished',
  path,
  name: `step ${path}`,
  kind: 'call',
  branch: false,
  outcome,
  reason: '',
  calls: 1,
  callsFailed: 0,
  startedAtMs: 0,
  durationMs: 1,
});

describe('the trace of a turn that was reopened', () => {
  it('has no rows of the commit that ended it', () => {
    const reopened = { by: 'anna', jobId: 't.1.c' as JobId, how: 'redrive', voids: 3, atMs: 1 } as const;
    const { steps } = assembleTrace([
      row('0'),
      row('1.i0.0'),
      row('1.i1.0', 'error'),
      { type: 'steps.discarded', path: '1.i0', atMs: 1 },
      { type: 'turn.finished', status: 'failed', atMs: 1 },
      { type: 'turn.reopened', ...reopened },
      row('1.i0.0'),
      row('1.i1.0'),
    ]);
    expect(steps.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['0', 'ok'],
      ['1.i0.0', 'ok'],
      ['1.i1.0', 'ok'],
    ]);
  });
});
