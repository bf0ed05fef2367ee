import type { JobId, StepResult } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { beginsInTime, retryDelayMs, shouldRetry } from './retry-policy.ts';

const failed = (code: string, more: Partial<StepResult> = {}): StepResult => ({
  jobId: 't.0.g0.0' as JobId,
  status: 'error',
  text: '',
  error: { code, message: 'it failed' },
  ...more,
});

describe('shouldRetry', () => {
  it('tries a generation again when the endpoint was away, up to the last attempt', () => {
    const result = failed('MODEL_UNAVAILABLE');
    expect(shouldRetry(result, 'idempotent', 1, 4)).toBe(true);
    expect(shouldRetry(result, 'idempotent', 3, 4)).toBe(true);
    expect(shouldRetry(result, 'idempotent', 4, 4)).toBe(false);
    expect(shouldRetry(result, 'idempotent', 1, 1)).toBe(false);
  });

  it('tries again what ran into a time limit of the outside world', () => {
    expect(shouldRetry(failed('MODEL_TIMEOUT'), 'idempotent', 1, 4)).toBe(true);
    expect(shouldRetry(failed('TOOL_TIMEOUT', { sent: true }), 'read', 1, 4)).toBe(true);
    expect(shouldRetry(failed('TOOL_TIMEOUT', { sent: true }), 'once', 1, 4)).toBe(false);
    expect(shouldRetry(failed('STEP_TIMEOUT'), 'read', 1, 4)).toBe(false);
  });

  it('does not repeat what would fail again', () => {
    expect(shouldRetry(failed('TOOL_FAILED'), 'read', 1, 4)).toBe(false);
    expect(shouldRetry(failed('TOOL_ARGUMENTS_INVALID'), 'read', 1, 4)).toBe(false);
    expect(shouldRetry(failed('A_CODE_OF_SOMEBODY_ELSE'), 'read', 1, 4)).toBe(false);
    expect(shouldRetry(failed('MODEL_UNAVAILABLE', { status: 'denied' }), 'idempotent', 1, 4)).toBe(false);
  });

  it('repeats a call that must not run twice only when it did not reach its tool', () => {
    expect(shouldRetry(failed('SERVER_UNAVAILABLE'), 'once', 1, 4)).toBe(false);
    expect(shouldRetry(failed('SERVER_UNAVAILABLE', { sent: true }), 'once', 1, 4)).toBe(false);
    expect(shouldRetry(failed('SERVER_UNAVAILABLE', { sent: false }), 'once', 1, 4)).toBe(true);
  });
});

describe('retryDelayMs', () => {
  const policy = { delayMs: 1000, maxDelayMs: 60_000 };

  it('doubles with each attempt, less up to half at random', () => {
    expect(retryDelayMs(1, policy, 0)).toBe(1000);
    expect(retryDelayMs(3, policy, 0)).toBe(4000);
    expect(retryDelayMs(3, policy, 0.999)).toBeGreaterThanOrEqual(2000);
  });

  it('waits as long as the endpoint asked for, within reason', () => {
    expect(retryDelayMs(1, policy, 0.5, 7000)).toBe(7000);
    expect(retryDelayMs(1, policy, 0.5, 3_600_000)).toBe(60_000);
  });
});

describe('beginsInTime', () => {
  it('counts the time of a step from the start of the first attempt', () => {
    expect(beginsInTime({ timeoutMs: 500 }, 1000, 1499)).toBe(true);
    expect(beginsInTime({ timeoutMs: 500 }, 1000, 1500)).toBe(false);
    expect(beginsInTime({}, 1000, 9_999_999)).toBe(true);
  });
});
