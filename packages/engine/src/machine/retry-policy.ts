import { ERRORS, type StepJob, type StepResult, type ToolEffect } from '@skillyard/contracts';

/** How often a job is tried when the world is in the way, and how long to wait in between. */
export interface RetryPolicy {
  /** Attempts at one job, the first included. 1 tries nothing again. */
  readonly attempts: number;
  /** Before the second attempt; doubled for each further one. */
  readonly delayMs: number;
  /** The longest wait between two attempts, whatever an endpoint asks for. */
  readonly maxDelayMs: number;
}

/** What is done when the configuration does not say. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { attempts: 4, delayMs: 1000, maxDelayMs: 60_000 };

/**
 * Whether a failed attempt is worth another one. Only the kind of the error decides, never its text; a call that must
 * not run twice is tried again only if it provably never reached its tool.
 * @param attempt 1-based number of the attempt that gave this result
 * @param attempts how many there may be
 */
export function shouldRetry(
  result: StepResult,
  effect: ToolEffect,
  attempt: number,
  attempts: number,
): boolean {
  if (attempt >= attempts || result.status !== 'error' || result.error === undefined) return false;
  if (!isRetryable(result.error.code)) return false;
  return effect !== 'once' || result.sent === false;
}

/**
 * How long to wait before the next attempt: what the endpoint asked for, or twice as long as the last time.
 * Up to half of it is taken off at random, so that an outage does not bring every job back in the same second.
 * @param attempt 1-based number of the attempt that just failed
 * @param random uniform in [0, 1)
 * @param askedMs what the endpoint asked for; it is waited for in full
 * @see RFC 9110 10.2.3 Retry-After
 */
export function retryDelayMs(
  attempt: number,
  policy: Pick<RetryPolicy, 'delayMs' | 'maxDelayMs'>,
  random: number,
  askedMs = 0,
): number {
  const backoffMs = policy.delayMs * 2 ** (attempt - 1) * (1 - random / 2);
  return Math.round(Math.min(Math.max(backoffMs, askedMs), policy.maxDelayMs));
}

/**
 * Whether another attempt would begin before the time of its step is over. One that would not is not waited for: the
 * failure that is there says more than that the time was over, and says it sooner.
 * @param startedAtMs when the first attempt began: all attempts share the time of the step
 * @param nextAtMs when the next one would begin
 */
export function beginsInTime(
  { timeoutMs }: Pick<StepJob, 'timeoutMs'>,
  startedAtMs: number,
  nextAtMs: number,
): boolean {
  return timeoutMs === undefined || nextAtMs < startedAtMs + timeoutMs;
}

function isRetryable(code: string): boolean {
  return Object.hasOwn(ERRORS, code) && ERRORS[code as keyof typeof ERRORS].kind === 'retryable';
}
