import { type FetchPolicy, SkillyardError } from '@skillyard/contracts';
import { failureOf, type Outcome } from '../step-failure.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { AssetCopies, AssetCopy } from './asset-copies.ts';
import { isTransient, unavailableNow } from './asset-failure.ts';
import { SharedWork } from './shared-work.ts';
import type { Timing } from './timing.ts';

/** One asset to be had. */
export interface FetchRequest {
  /** What its copy is kept under: the same for the same source, ref and arguments. */
  readonly key: string;
  /** What messages call it. */
  readonly what: string;
  readonly policy: FetchPolicy | null;
  readonly signal: AbortSignal;
  /** One attempt. */
  readonly read: (signal: AbortSignal) => Promise<string>;
}

const NO_POLICY: FetchPolicy = { ttlMs: 0, timeoutMs: 0, retries: 0, onUnavailable: 'fail' };
const DEFAULT_TIMEOUT_MS = 10_000;
/** The format has nothing without an end; five is its ceiling for empty results, too. */
const MOST_RETRIES = 5;
/** All attempts and waits together: a turn must not hang on someone else's downtime. */
const LONGEST_FETCH_MS = 300_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8000;
/** A source that asks for more is not waited for. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Gets assets the way their `fetch` says. The one place among the executors that tries again: how often is written in
 * the skill, and the driver's own retries do not know it.
 *
 * P1 Within `ttl` the last copy is used without looking. Callers that come while it is being fetched wait for that
 *    fetch. Without a `ttl` every call looks.
 * P2 Only a transient failure (no connection, no answer in time, HTTP 429 and 5xx) is tried again, at most `retries`
 *    times and never more than five, after a wait that doubles and is in part random, or as long as the source asks.
 * P3 What cannot be had follows `on_unavailable`: an error, the last copy with a note, or nothing with a note.
 * P4 An abort ends all of it at once and follows no policy.
 */
export class FetchRunner {
  readonly #copies: AssetCopies;
  readonly #timing: Timing;
  readonly #shared = new SharedWork<string>();

  constructor(copies: AssetCopies, timing: Timing) {
    this.#copies = copies;
    this.#timing = timing;
  }

  async fetch(request: FetchRequest): Promise<Outcome> {
    const { key, signal } = request;
    const policy = request.policy ?? NO_POLICY;
    const copy = wantsCopy(policy) ? await this.#copies.get(key) : undefined;
    if (copy !== undefined && this.#isFresh(copy, policy.ttlMs)) return found(copy.text);
    try {
      if (policy.ttlMs === 0) return found(await this.#look(request, policy, signal));
      // Whoever shares a fetch shares its error, which names the asset.
      const name = `${key} ${request.what} ${JSON.stringify(policy)}`;
      return found(await this.#shared.run(name, signal, (shared) => this.#look(request, policy, shared)));
    } catch (error) {
      if (signal.aborted || !SkillyardError.is(error, 'ASSET_UNAVAILABLE')) throw error;
      return withoutSource(policy, error, copy);
    }
  }

  #isFresh(copy: AssetCopy, ttlMs: number): boolean {
    const ageMs = this.#timing.now() - copy.fetchedAtMs;
    // A clock that was set back must not keep a copy for ever.
    return ageMs >= 0 && ageMs < ttlMs;
  }

  async #look(request: FetchRequest, policy: FetchPolicy, signal: AbortSignal): Promise<string> {
    const text = await this.#attempts(request, policy, signal);
    if (wantsCopy(policy)) await this.#copies.put(request.key, { text, fetchedAtMs: this.#timing.now() });
    return text;
  }

  async #attempts(request: FetchRequest, policy: FetchPolicy, signal: AbortSignal): Promise<string> {
    const timing = this.#timing;
    const giveUpAtMs = timing.now() + LONGEST_FETCH_MS;
    const retries = Math.min(policy.retries, MOST_RETRIES);
    for (let attempt = 1; ; attempt++) {
      const wantedMs = policy.timeoutMs === 0 ? DEFAULT_TIMEOUT_MS : policy.timeoutMs;
      const timeoutMs = Math.min(wantedMs, giveUpAtMs - timing.now());
      try {
        return await this.#attempt(request, timeoutMs, signal);
      } catch (error) {
        if (signal.aborted || !SkillyardError.is(error)) throw error;
        if (attempt > retries || !isTransient(error)) throw afterTries(error, attempt);
        const waitMs = retryWaitMs(attempt, timing.random(), error);
        if (waitMs > LONGEST_WAIT_MS || timing.now() + waitMs >= giveUpAtMs) throw afterTries(error, attempt);
        await timing.sleep(waitMs, signal);
      }
    }
  }

  async #attempt({ what, read }: FetchRequest, timeoutMs: number, signal: AbortSignal): Promise<string> {
    // Tool servers look at the code to tell that they were too slow.
    const late = new SkillyardError('STEP_TIMEOUT', `${what} did not come within ${inWords(timeoutMs)}.`);
    const attempt = new AbortController();
    const clock = new AbortController();
    const passOn = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', passOn, { once: true });
    this.#timing.sleep(timeoutMs, clock.signal).then(
      () => attempt.abort(late),
      () => {},
    );
    try {
      signal.throwIfAborted();
      return await unlessAborted(read(attempt.signal), attempt.signal);
    } catch (error) {
      if (attempt.signal.reason !== late) throw error;
      throw unavailableNow(
        `${late.message} Give it more time with fetch.timeout, or look at where it comes from.`,
        { cause: error },
      );
    } finally {
      clock.abort();
      signal.removeEventListener('abort', passOn);
    }
  }
}

const wantsCopy = (policy: FetchPolicy): boolean => policy.ttlMs > 0 || policy.onUnavailable === 'stale';
const found = (text: string): Outcome => ({ status: text === '' ? 'empty' : 'ok', text });
const inWords = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);

/**
 * How long to wait before the next attempt: twice as long as the last time, or what the source asked for.
 * Up to half of the former is taken off at random, so that an outage does not bring every turn back in one second.
 * @param attempt 1-based number of the attempt that just failed
 * @param random uniform in [0, 1)
 */
function retryWaitMs(attempt: number, random: number, error: SkillyardError): number {
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS) * (1 - random / 2);
  const { retryAfterMs } = error.details;
  return Math.round(Math.max(backoffMs, typeof retryAfterMs === 'number' ? retryAfterMs : 0));
}

function afterTries(error: SkillyardError, attempts: number): SkillyardError {
  if (attempts === 1) return error;
  const { code, message, details } = error;
  return new SkillyardError(code, `${message} It was tried ${attempts} times.`, { details, cause: error });
}

/** What the policy makes of a source that cannot be had (rule P3). */
function withoutSource(
  { onUnavailable }: FetchPolicy,
  error: SkillyardError,
  copy: AssetCopy | undefined,
): Outcome {
  switch (onUnavailable) {
    case 'fail':
      return failureOf(error);
    case 'empty':
      return { status: 'empty', text: '', note: error.message };
    case 'stale': {
      if (copy === undefined) return failureOf(error);
      const since = new Date(copy.fetchedAtMs).toISOString();
      return { ...found(copy.text), note: `${error.message} The copy of ${since} was used.` };
    }
  }
}
