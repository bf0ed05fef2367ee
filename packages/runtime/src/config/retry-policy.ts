import { type Config, parseDurationMs } from '@skillyard/contracts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '@skillyard/engine';

/** How often and how soon failed jobs are tried again under a configuration, whichever driver runs them. */
export function retryPolicy({ retries = {} }: Config): RetryPolicy {
  const { attempts, delay, max_delay: maxDelay } = retries;
  const { attempts: usual, delayMs, maxDelayMs } = DEFAULT_RETRY_POLICY;
  return {
    attempts: attempts ?? usual,
    delayMs: parseDurationMs(delay ?? '') ?? delayMs,
    maxDelayMs: parseDurationMs(maxDelay ?? '') ?? maxDelayMs,
  };
}
