import { setTimeout as wait } from 'node:timers/promises';
import {
  type CallJob,
  classOfCode,
  type DecideJob,
  type GenerateJob,
  type StepError,
  type StepJob,
  type StepResult,
  type ToolEffect,
} from '@skillyard/contracts';
import { beginsInTime, retryDelayMs, type RetryPolicy, shouldRetry } from '@skillyard/engine';
import type { Execute, JobContext } from './running-job.ts';

/** The kinds of job that a driver tries again: what an asset does about failures is part of the skill. */
type RepeatableJob = GenerateJob | CallJob | DecideJob;

export interface RetryOptions {
  readonly policy: RetryPolicy;
  /** What a repeat of a call may do. Asked only when one is considered. */
  readonly effectOf: (job: CallJob, signal: AbortSignal) => ToolEffect | Promise<ToolEffect>;
  /** Told before the wait for the next attempt. */
  readonly onRetry?: (job: StepJob, attempt: number, error: StepError) => void;
  /** Waits; rejects or resolves early when the signal is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Makes an executor try again what failed because the world was in the way, as the queue driver does.
 * All attempts share the step's own ceiling of time: one that could not begin before it is over is not waited for. An
 * abort ends the waiting.
 */
export function withRetries(execute: Execute, options: RetryOptions): Execute {
  return (job, context) =>
    job.kind === 'generate' || job.kind === 'call' || job.kind === 'decide'
      ? executeWithRetries(execute, options, job, context)
      : execute(job, context);
}

async function executeWithRetries(
  execute: Execute,
  options: RetryOptions,
  job: RepeatableJob,
  context: JobContext,
): Promise<StepResult> {
  const { policy, onRetry, sleep = pause, random = Math.random, now = Date.now } = options;
  const startedAtMs = now();
  for (let attempt = 1; ; attempt++) {
    const result = await execute(job, context);
    const { error } = result;
    // Nothing is asked about effects unless a repeatable job would be tried again.
    if (error === undefined || !shouldRetry(result, 'read', attempt, policy.attempts)) return result;
    const { signal } = context;
    if (!shouldRetry(result, await effectOf(job, options, signal), attempt, policy.attempts)) return result;
    const delayMs = retryDelayMs(attempt, policy, random(), error.retryAfterMs);
    if (signal.aborted || !beginsInTime(job, startedAtMs, now() + delayMs)) return result;
    onRetry?.(job, attempt, error);
    await sleep(delayMs, signal);
    if (signal.aborted) return result;
  }
}

function effectOf(
  job: RepeatableJob,
  options: RetryOptions,
  signal: AbortSignal,
): ToolEffect | Promise<ToolEffect> {
  if (job.kind === 'generate') return 'idempotent';
  if (job.kind === 'decide') return 'read';
  // An action says itself what a repeat of it may do.
  return classOfCode(job) === null ? options.effectOf(job, signal) : (job.effect ?? 'once');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
