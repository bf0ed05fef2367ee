import type { DelegateJob, JobId, TurnOutcome } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { delegateResult } from './delegate-result.ts';

const job = { kind: 'delegate', id: 'boss.3.d' as JobId, skill: 'helper' } as DelegateJob;
const outcome = (more: Partial<TurnOutcome>): TurnOutcome => ({
  status: 'completed',
  vars: {},
  answer: '',
  answeredBy: '',
  skipped: [],
  error: null,
  exitReason: null,
  usage: { generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 },
  ...more,
});

describe('delegateResult', () => {
  it('takes the answer, also of a skill that left its flow; none is empty', () => {
    expect(delegateResult(job, outcome({ answer: 'done' }))).toMatchObject({ status: 'ok', text: 'done' });
    expect(delegateResult(job, outcome({ status: 'exited', answer: 'half' }))).toMatchObject({
      status: 'ok',
      text: 'half',
    });
    expect(delegateResult(job, outcome({}))).toMatchObject({ status: 'empty', text: '' });
  });

  it('names the skill in a failure, and keeps a refusal a refusal', () => {
    const failed = outcome({ status: 'failed', error: { code: 'TOOL_FAILED', message: 'the mill broke' } });
    expect(delegateResult(job, failed)).toMatchObject({
      status: 'error',
      error: { code: 'DELEGATE_FAILED', message: 'skill "helper": the mill broke' },
    });
    const invalid = outcome({
      status: 'failed',
      error: { code: 'SKILL_INVALID', message: 'helper.yaml:1:1: no name' },
    });
    expect(delegateResult(job, invalid).error?.code).toBe('SKILL_INVALID');
    const denied = outcome({ status: 'denied', error: { code: 'TOOL_DENIED', message: 'not yours' } });
    expect(delegateResult(job, denied)).toMatchObject({ status: 'denied', error: { code: 'STEP_DENIED' } });
    const blocked = outcome({ status: 'requirement_failed', exitReason: 'no build passed' });
    expect(delegateResult(job, blocked)).toMatchObject({
      status: 'error',
      error: { code: 'DELEGATE_FAILED', message: 'skill "helper" requirement failed: no build passed' },
    });
    expect(delegateResult(job, null).error?.code).toBe('DELEGATE_FAILED');
  });
});
