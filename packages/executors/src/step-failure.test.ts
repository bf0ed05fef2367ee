import { type JobId, type MemoryJob, SkillyardError, turnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { settle } from './step-failure.ts';

const job: MemoryJob = {
  id: 't.m0' as JobId,
  turnId: turnId('t'),
  path: '',
  step: '',
  kind: 'memory',
  handle: 'm',
  at: '',
  notes: [],
};
const live = { signal: new AbortController().signal };

describe('settle (rule E1)', () => {
  it('turns an error of ours into its code, and a refusal into denied', async () => {
    const fail = (error: Error) =>
      settle(job, live, async () => {
        throw error;
      });
    expect(await fail(new SkillyardError('SERVER_UNAVAILABLE', 'gone'))).toEqual({
      jobId: job.id,
      status: 'error',
      text: '',
      error: { code: 'SERVER_UNAVAILABLE', message: 'gone' },
    });
    expect(await fail(new SkillyardError('TOOL_DENIED', 'no'))).toMatchObject({ status: 'denied' });
    expect(
      await fail(new SkillyardError('MODEL_UNAVAILABLE', 'busy', { details: { retryAfterMs: 5 } })),
    ).toMatchObject({ error: { retryAfterMs: 5 } });
  });

  it('turns anything else into STEP_FAILED with its message and no stack', async () => {
    const result = await settle(job, live, async () => {
      throw new TypeError('x is not a function');
    });
    expect(result.error).toEqual({
      code: 'STEP_FAILED',
      message: 'The step failed in an unexpected way: x is not a function',
    });
  });

  it('gives the reason of an abort, before the work and over what the work threw', async () => {
    const reason = new SkillyardError('STEP_TIMEOUT', 'took too long');
    expect(
      await settle(job, { signal: AbortSignal.abort(reason) }, () => Promise.reject(new Error('never run'))),
    ).toMatchObject({ error: { code: 'STEP_TIMEOUT', message: 'took too long' } });
    const controller = new AbortController();
    const result = await settle(job, controller, () => {
      controller.abort();
      return Promise.reject(new Error('socket closed'));
    });
    expect(result.error?.code).toBe('TURN_CANCELLED');
  });
});
