import type { JobId, JobNoticed } from '@skillyard/contracts';
import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';
import { createTerminal } from './terminal.ts';

it('shows what happened to a job on its way as a line of its own', () => {
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
  const progress = createProgress(createTerminal(surroundings, { json: false }));
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
  progress.event(event, ['helper']);
  expect(shown).toBe(
    'taken-over helper › step 2.i0.1, attempt 1: worker a was not heard of any more while it ran it; it is run again\n',
  );
});
