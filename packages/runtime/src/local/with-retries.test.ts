import type {
  CallJob,
  DecideJob,
  GenerateJob,
  JobId,
  StepJob,
  StepResult,
  TurnId,
} from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import type { Execute } from './running-job.ts';
import { type RetryOptions, withRetries } from './with-retries.ts';

const base = { id: 't.0.c' as JobId, turnId: 't' as TurnId, path: '0', step: 'ask' };
const call: CallJob = {
  ...base,
  kind: 'call',
  server: 'mill',
  tool: 'grind',
  args: {},
  fill: [],
  notes: [],
  origin: 'step',
};
const generate = { ...base, kind: 'generate' } as GenerateJob;

const failed = (code: string, more: Partial<StepResult> = {}, retryAfterMs?: number): StepResult => {
  const error = { code, message: 'not now', ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return { jobId: base.id, status: 'error', text: '', error, ...more };
};
const ok: StepResult = { jobId: base.id, status: 'ok', text: 'flour' };

/** Runs a job whose attempts give these results, without waiting. */
async function run(
  job: StepJob,
  results: readonly StepResult[],
  more: Partial<RetryOptions> = {},
  controller = new AbortController(),
): Promise<{ result: StepResult; attempts: number; waits: number[] }> {
  const waits: number[] = [];
  let attempts = 0;
  const execute: Execute = () => results[Math.min(attempts++, results.length - 1)] ?? ok;
  const wrapped = withRetries(execute, {
    policy: { attempts: 4, delayMs: 100, maxDelayMs: 5000 },
    effectOf: () => 'once' as const,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0,
    ...more,
  });
  return { result: await wrapped(job, { signal: controller.signal }), attempts, waits };
}

describe('withRetries', () => {
  it('tries a generation again after a growing delay, and gives what the last attempt gave', async () => {
    const away = failed('MODEL_UNAVAILABLE');
    expect(await run(generate, [away, away, ok])).toEqual({ result: ok, attempts: 3, waits: [100, 200] });
    expect(await run(generate, [away])).toMatchObject({ result: away, attempts: 4 });
  });

  it('asks code again for what it could not decide, and repeats its actions as they say themselves', async () => {
    const decide = { ...base, kind: 'decide' } as DecideJob;
    const gone = failed('CODE_UNAVAILABLE', { sent: true });
    expect(await run(decide, [gone, ok])).toMatchObject({ result: ok, attempts: 2 });
    const at = { code: { runtime: 'kit', name: 'bakery', sha256: '' }, journal: 'j', rounds: 1 } as const;
    const action = { ...call, origin: 'code', at } as const;
    const more: Partial<RetryOptions> = { effectOf: () => 'read' };
    expect(await run(action, [gone, ok], more)).toMatchObject({ result: gone, attempts: 1 });
    expect(await run({ ...action, effect: 'idempotent' }, [gone, ok], more)).toMatchObject({ attempts: 2 });
  });

  it('waits as long as the endpoint asks for', async () => {
    const busy = failed('MODEL_UNAVAILABLE', {}, 2000);
    expect((await run(generate, [busy, ok])).waits).toEqual([2000]);
  });

  it('repeats a call that reached its tool only when its tool is repeatable', async () => {
    const slow = failed('TOOL_TIMEOUT', { sent: true });
    expect(await run(call, [slow, ok])).toMatchObject({ result: slow, attempts: 1 });
    expect(await run(call, [slow, ok], { effectOf: async () => 'read' as const })).toMatchObject({
      attempts: 2,
    });
    expect(await run(call, [failed('SERVER_UNAVAILABLE', { sent: false }), ok])).toMatchObject({
      attempts: 2,
    });
  });

  it('does not ask for the effect of a call that would fail again anyway', async () => {
    const effectOf = (): never => {
      throw new Error('it was asked');
    };
    expect(await run(call, [failed('TOOL_FAILED')], { effectOf })).toMatchObject({ attempts: 1 });
    const denied = failed('TOOL_DENIED', { status: 'denied' });
    expect(await run(call, [denied], { effectOf })).toMatchObject({ attempts: 1 });
  });

  it('leaves assets alone: how often they are fetched is part of the skill', async () => {
    const asset = { ...base, kind: 'asset' } as StepJob;
    expect(await run(asset, [failed('SERVER_UNAVAILABLE'), ok])).toMatchObject({ attempts: 1 });
  });

  it('makes no attempt that could not begin before the time of the step is over, all attempts together', async () => {
    let clockMs = 0;
    const away = failed('MODEL_UNAVAILABLE');
    const timed = await run({ ...generate, timeoutMs: 250 }, [away], {
      now: () => clockMs,
      sleep: async (ms) => void (clockMs += ms),
    });
    expect(timed).toMatchObject({ result: away, attempts: 2 });
    expect(clockMs).toBe(100);
  });

  it('stops waiting when the job is aborted', async () => {
    const controller = new AbortController();
    const onRetry = (): void => controller.abort();
    const execute: Execute = () => failed('MODEL_UNAVAILABLE');
    const policy = { attempts: 4, delayMs: 3_600_000, maxDelayMs: 3_600_000 };
    const wrapped = withRetries(execute, { policy, effectOf: () => 'once', onRetry });
    expect(await wrapped(generate, { signal: controller.signal })).toMatchObject({ status: 'error' });
  });

  it('says which attempt failed, and why', async () => {
    const told: unknown[] = [];
    await run(generate, [failed('MODEL_TIMEOUT'), ok], {
      onRetry: (job, attempt, error) => told.push([job.id, attempt, error.code]),
    });
    expect(told).toEqual([[base.id, 1, 'MODEL_TIMEOUT']]);
  });
});
