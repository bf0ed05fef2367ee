import { type FetchPolicy, SkillyardError } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../step-failure.ts';
import { localCopies } from './asset-copies.ts';
import { unavailable, unavailableNow } from './asset-failure.ts';
import { FetchRunner } from './fetch-policy.ts';
import type { Timing } from './timing.ts';

type Read = (signal: AbortSignal) => Promise<string>;

const now =
  (text: string, retryAfterMs?: number): Read =>
  () =>
    Promise.reject(unavailableNow(text, { retryAfterMs }));
const never =
  (text: string): Read =>
  () =>
    Promise.reject(unavailable(text));
const says =
  (text: string): Read =>
  async () =>
    text;
/** An attempt that ends only when it is told to. */
const hangs: Read = (signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

/**
 * A source that answers in turn with what it is given, and a world whose time passes only when it is slept.
 * Sleeps for a retry end at once; those that watch over an attempt end when `late` says so.
 */
class World {
  readonly copies = localCopies();
  readonly waits: number[] = [];
  readonly limits: number[] = [];
  reads = 0;
  nowMs = 1000;
  random = 0;
  late = false;
  #attempting = false;
  readonly #answers: Read[];

  constructor(...answers: Read[]) {
    this.#answers = answers;
  }

  readonly timing: Timing = {
    now: () => this.nowMs,
    random: () => this.random,
    sleep: (ms, signal) => {
      if (!this.#attempting) {
        this.#attempting = true;
        this.limits.push(ms);
        if (this.late) return Promise.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      }
      this.waits.push(ms);
      this.nowMs += ms;
      this.#attempting = false;
      return Promise.resolve();
    },
  };
  readonly runner = new FetchRunner(this.copies, this.timing);

  fetch(policy: Partial<FetchPolicy> | null = {}, signal = new AbortController().signal): Promise<Outcome> {
    this.#attempting = false;
    return this.runner.fetch({
      key: 'k',
      what: 'Asset "rules"',
      policy: policy && { ttlMs: 0, timeoutMs: 0, retries: 0, onUnavailable: 'fail', ...policy },
      signal,
      read: (limited) => {
        this.reads++;
        const answer = this.#answers.shift();
        if (answer === undefined) throw new Error('the source is asked once too often');
        return answer(limited);
      },
    });
  }
}

describe('a fetch', () => {
  it('is one attempt without a policy, with ten seconds', async () => {
    const world = new World(says('a'), now('gone'));
    expect(await world.fetch(null)).toEqual({ status: 'ok', text: 'a' });
    expect(await world.fetch(null)).toEqual({
      status: 'error',
      text: '',
      error: { code: 'ASSET_UNAVAILABLE', message: 'gone' },
    });
    expect(world.limits).toEqual([10_000, 10_000]);
    expect(world.waits).toEqual([]);
  });

  it('is empty when the text is', async () => {
    expect(await new World(says('')).fetch()).toEqual({ status: 'empty', text: '' });
  });

  it('passes on what is no failure of the source', async () => {
    const bug = (): Promise<string> => Promise.reject(new TypeError('a bug'));
    await expect(new World(bug).fetch({ onUnavailable: 'empty' })).rejects.toThrow('a bug');
  });
});

describe('ttl (rule P1)', () => {
  it('serves the copy until its time is over, and fetches then', async () => {
    const world = new World(says('a'), says('b'));
    expect(await world.fetch({ ttlMs: 100 })).toMatchObject({ text: 'a' });
    world.nowMs += 99;
    expect(await world.fetch({ ttlMs: 100 })).toEqual({ status: 'ok', text: 'a' });
    world.nowMs += 1;
    expect(await world.fetch({ ttlMs: 100 })).toMatchObject({ text: 'b' });
    expect(world.reads).toBe(2);
  });

  it('0 fetches every time', async () => {
    const world = new World(says('a'), says('b'));
    await world.fetch({ onUnavailable: 'stale' });
    expect(await world.fetch({ onUnavailable: 'stale' })).toMatchObject({ text: 'b' });
  });

  it('serves an empty copy as empty', async () => {
    const world = new World(says(''));
    await world.fetch({ ttlMs: 100 });
    expect(await world.fetch({ ttlMs: 100 })).toEqual({ status: 'empty', text: '' });
  });

  it('does not trust a copy from the future', async () => {
    const world = new World(says('a'), says('b'));
    await world.fetch({ ttlMs: 100 });
    world.nowMs -= 1;
    expect(await world.fetch({ ttlMs: 100 })).toMatchObject({ text: 'b' });
  });

  it('lets those who come during a fetch wait for it', async () => {
    let answer: (text: string) => void = () => {};
    const world = new World(() => new Promise((resolve) => (answer = resolve)));
    const both = [world.fetch({ ttlMs: 100 }), world.fetch({ ttlMs: 100 })];
    while (world.reads === 0) await Promise.resolve();
    answer('a');
    expect(await Promise.all(both)).toEqual([
      { status: 'ok', text: 'a' },
      { status: 'ok', text: 'a' },
    ]);
    expect(world.reads).toBe(1);
  });
});

describe('timeout', () => {
  it('ends an attempt, and tells it why', async () => {
    const world = new World(hangs);
    world.late = true;
    const outcome = await world.fetch({ timeoutMs: 1500 });
    expect(outcome.error).toMatchObject({
      code: 'ASSET_UNAVAILABLE',
      message:
        'Asset "rules" did not come within 1.5 s. Give it more time with fetch.timeout, or look at where it comes from.',
    });
    expect(world.limits).toEqual([1500]);
  });

  it('does not wait for a source that does not listen', async () => {
    const world = new World(() => new Promise(() => {}));
    world.late = true;
    expect(await world.fetch({ timeoutMs: 20 })).toMatchObject({
      error: { message: expect.stringMatching(/within 20 ms/) },
    });
  });

  it('is worth another attempt', async () => {
    const world = new World(hangs, says('a'));
    world.late = true;
    const hung = world.fetch({ retries: 1 });
    while (world.reads === 0) await Promise.resolve();
    world.late = false;
    expect(await hung).toEqual({ status: 'ok', text: 'a' });
    expect(world.waits).toEqual([500]);
  });
});

describe('retries (rule P2)', () => {
  it('follow on a transient failure, each wait twice as long as the one before', async () => {
    const world = new World(now('1'), now('2'), now('3'), now('4'), now('5'), says('a'));
    expect(await world.fetch({ retries: 5 })).toEqual({ status: 'ok', text: 'a' });
    expect(world.waits).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  it('leave out up to half of a wait by chance', async () => {
    const world = new World(now('1'), says('a'));
    world.random = 0.5;
    await world.fetch({ retries: 1 });
    expect(world.waits).toEqual([375]);
  });

  it('end when they are used up, and the message says how many there were', async () => {
    const world = new World(now('down.'), now('still down.'));
    expect(await world.fetch({ retries: 1 })).toMatchObject({
      error: { message: 'still down. It was tried 2 times.' },
    });
  });

  it('are never more than five', async () => {
    const world = new World(...Array.from({ length: 6 }, () => now('down.')));
    expect((await world.fetch({ retries: 1000 })).error?.message).toMatch(/tried 6 times/);
  });

  it('do not follow on what would be the same again', async () => {
    const world = new World(never('not there'));
    expect(await world.fetch({ retries: 5 })).toMatchObject({ error: { message: 'not there' } });
    const later = new World(now('down.'), never('not there.'));
    expect((await later.fetch({ retries: 5 })).error?.message).toBe('not there. It was tried 2 times.');
  });

  it('wait as long as the source asks, unless that is too long', async () => {
    const patient = new World(now('busy', 3000), says('a'));
    expect(await patient.fetch({ retries: 1 })).toMatchObject({ text: 'a' });
    expect(patient.waits).toEqual([3000]);
    const hurried = new World(now('busy', 30_001));
    expect(await hurried.fetch({ retries: 1 })).toMatchObject({
      error: { message: 'busy', retryAfterMs: 30_001 },
    });
  });

  it('end when all of it takes too long, and the last attempt gets what is left', async () => {
    const world = new World(
      () => {
        world.nowMs += 299_000;
        return now('slow.')(new AbortController().signal);
      },
      now('slow.'),
      says('too late'),
    );
    expect((await world.fetch({ retries: 5, timeoutMs: 600_000 })).error?.message).toBe(
      'slow. It was tried 2 times.',
    );
    expect(world.limits).toEqual([300_000, 500]);
  });
});

describe('on_unavailable (rule P3)', () => {
  it('fail gives the error, also when there is a copy', async () => {
    const world = new World(says('a'), never('gone'));
    await world.fetch({ ttlMs: 10 });
    world.nowMs += 10;
    expect(await world.fetch({ ttlMs: 10 })).toMatchObject({ status: 'error', error: { message: 'gone' } });
  });

  it('empty gives nothing, with the reason', async () => {
    expect(await new World(never('gone')).fetch({ onUnavailable: 'empty' })).toEqual({
      status: 'empty',
      text: '',
      note: 'gone',
    });
  });

  it('stale gives the copy, with the reason and its age, as often as it is needed', async () => {
    const world = new World(says('a'), never('gone.'), now('down.'), says('b'));
    await world.fetch({ onUnavailable: 'stale' });
    world.nowMs = 86_400_000;
    const stale = { status: 'ok', text: 'a', note: 'gone. The copy of 1970-01-01T00:00:01.000Z was used.' };
    expect(await world.fetch({ onUnavailable: 'stale' })).toEqual(stale);
    expect((await world.fetch({ onUnavailable: 'stale' })).note).toMatch(
      /^down\. The copy of 1970-01-01T00:00:01/,
    );
    expect(await world.fetch({ onUnavailable: 'stale' })).toEqual({ status: 'ok', text: 'b' });
  });

  it('stale is an error when there is no copy', async () => {
    expect(await new World(never('gone')).fetch({ onUnavailable: 'stale' })).toMatchObject({
      status: 'error',
      error: { code: 'ASSET_UNAVAILABLE', message: 'gone' },
    });
  });

  it('keeps no copy that no policy could use', async () => {
    const world = new World(says('a'), never('gone'));
    await world.fetch({ onUnavailable: 'empty' });
    expect(await world.copies.get('k')).toBeUndefined();
    expect(await world.fetch({ onUnavailable: 'stale' })).toMatchObject({ status: 'error' });
  });
});

describe('an abort (rule P4)', () => {
  const reason = new SkillyardError('TURN_CANCELLED', 'no longer wanted');

  it.each([
    ['an attempt', {}],
    ['a shared attempt', { ttlMs: 100 }],
  ])('ends %s and no policy applies', async (_what, policy) => {
    const world = new World(hangs);
    const controller = new AbortController();
    const fetching = world
      .fetch({ ...policy, retries: 5, onUnavailable: 'empty' }, controller.signal)
      .catch((error: unknown) => error);
    while (world.reads === 0) await Promise.resolve();
    controller.abort(reason);
    expect(await fetching).toBe(reason);
    expect(world.reads).toBe(1);
  });

  it('ends the wait for the next attempt', async () => {
    const controller = new AbortController();
    const world = new World(now('down'));
    const { sleep } = world.timing;
    const waiting = { ...world.timing };
    const runner = new FetchRunner(world.copies, {
      ...waiting,
      sleep: (ms, signal) => {
        if (ms !== 500) return sleep(ms, signal);
        controller.abort(reason);
        return Promise.reject(new Error('the timer was aborted'));
      },
    });
    const fetching = runner.fetch({
      key: 'k',
      what: 'a',
      policy: { ttlMs: 0, timeoutMs: 0, retries: 1, onUnavailable: 'empty' },
      signal: controller.signal,
      read: now('down'),
    });
    await expect(fetching).rejects.toThrow('the timer was aborted');
  });

  it('before anything began asks nobody', async () => {
    const world = new World(says('a'));
    await expect(world.fetch({ onUnavailable: 'empty' }, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(world.reads).toBe(0);
  });
});
