import { type AskJob, type DelegateJob, type JobId, turnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { createExecutors } from './executors.ts';

const base = { id: 't.1.d' as JobId, turnId: turnId('t'), path: '1', step: 'hand over' };
const context = { signal: new AbortController().signal };

describe('createExecutors', () => {
  it('leaves delegates and questions to the driver', async () => {
    const executors = createExecutors({ config: {}, env: {}, baseDir: '.' });
    const delegate: DelegateJob = { ...base, kind: 'delegate', skill: 'other', task: 'do it' };
    expect(await executors.execute(delegate, context)).toMatchObject({
      jobId: base.id,
      status: 'error',
      error: { code: 'EXECUTOR_MISSING' },
    });
    const ask: AskJob = { ...base, kind: 'ask', questions: [{ kind: 'text', text: 'really?' }] };
    expect(await executors.execute(ask, context)).toMatchObject({
      error: { code: 'EXECUTOR_MISSING' },
    });
    await executors.close();
  });

  it('closes twice without harm, and before anything was used', async () => {
    const executors = createExecutors({
      config: { servers: { shop: { command: 'none' } } },
      env: {},
      baseDir: '.',
    });
    await executors.close();
    await executors.close();
  });
});
