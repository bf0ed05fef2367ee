import type { JobId, JobNoticed, TraceEvent } from '@skillyard/contracts';
import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';
import { createTerminal } from './terminal.ts';

/** What plain progress shows of an event. */
function shownOf(event: TraceEvent): string {
  let shown = '';
  const stderr = { write: (text: string) => (shown += text) };
  const surroundings = {
    cwd: '.',
    env: { NO_COLOR: '1' },
    stdin: (async function* nothing() {})(),
    stdout: stderr,
    stderr,
    onInterrupt: () => () => {},
    exitNow: () => {},
  };
  createProgress(createTerminal(surroundings, { json: false })).event(event, ['helper']);
  return shown;
}

it('shows what happened to a job on its way as a line of its own', () => {
  const event: JobNoticed = {
    type: 'job.noticed',
    path: '2.i0.1',
    jobId: 't.2.i0.1.c' as JobId,
    what: 'taken-over',
    attempt: 1,
    reason: 'worker a was not heard of any more while it ran it;\nit is run again',
    worker: 'a',
    atMs: 0,
  };
  expect(shownOf(event)).toBe(
    'taken-over helper › step 2.i0.1, attempt 1: worker a was not heard of any more while it ran it; it is run again\n',
  );
});

it('names each include that is missing, once', () => {
  const missing = { skill: 'desk', include: 'base' };
  const radius = { tools: [], entries: [], included: [], missing: [missing, missing] };
  expect(shownOf({ type: 'turn.started', atMs: 0, radius })).toBe(
    'missing skill "desk" includes "base", which is not there\n',
  );
  expect(shownOf({ type: 'turn.started', atMs: 0 })).toBe('');
});
