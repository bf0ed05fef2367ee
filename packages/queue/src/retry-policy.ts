import { ERRORS, type StepResult, type ToolEffect } from '@skillyard/contracts';

/** How often a job is tried when the world was in the way. */
export const MAX_ATTEMPTS = 4;
/** Before the second attempt; doubled for each further one. */
export const RETRY_DELAY_MS = 1000;
/** The longest wait between two attempts, whatever an endpoint asks for. */
const MAX_RETRY_DELAY_MS = 60_000;
/** BullMQ's name for {@link retryDelayMs}. */
export const BACKOFF = 'step';
/**
 * How often a job may lose its worker before it fails. More than one loss is most likely the job's own doing (a tool
 * server that takes the process down with it), and each costs a worker.
 */
export const MAX_LOST_WORKERS = 3;

/**
 * Whether a failed attempt is worth another one. Only the kind of the error decides, never its text; a call that must
 * not run twice is tried again only if it provably never reached its tool.
 * @param attempt 1-based number of the attempt that gave this result
 */
export function shouldRetry(result: StepResult, effect: ToolEffect, attempt: number): boolean {
  if (attempt >= MAX_ATTEMPTS || result.status !== 'error' || result.error === undefined) return false;
  if (!isRetryable(result.error.code)) return false;
  return effect !== 'once' || result.sent === false;
}

/**
 * How long to wait before the next attempt: what the endpoint asked for, or twice as long as the last time.
 * Up to half of it is taken off at random, so that an outage does not bring every job back in the same second.
 * @param attempt 1-based number of the attempt that just failed
 * @param random uniform in [0, 1)
 * @param askedMs what the endpoint asked for; it is waited for in full
 */
export function retryDelayMs(attempt: number, baseMs: number, random: number, askedMs = 0): number {
  const backoffMs = baseMs * 2 ** (attempt - 1) * (1 - random / 2);
  return Math.round(Math.min(Math.max(backoffMs, askedMs), MAX_RETRY_DELAY_MS));
}

function isRetryable(code: string): boolean {
  return Object.hasOwn(ERRORS, code) && ERRORS[code as keyof typeof ERRORS].kind === 'retryable';
}
