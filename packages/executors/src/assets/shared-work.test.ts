import { describe, expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';

const open = () => new AbortController();
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to. */
function manual(): {
  work: (signal: AbortSignal) => Promise<string>;
  end: (text: string) => void;
  signals: AbortSignal[];
} {
  const signals: AbortSignal[] = [];
  const { promise, end } = ((): { promise: Promise<string>; end: (text: string) => void } => {
    let resolveIt: (text: string) => void = () => {};
    return { promise: new Promise((resolve) => (resolveIt = resolve)), end: (text) => resolveIt(text) };
  })();
  return {
    signals,
    end,
    work: (signal) => {
      signals.push(signal);
      return promise;
    },
  };
}

describe('shared work', () => {
  it('is done once for all who wait for it, and anew afterwards', async () => {
    const shared = new SharedWork<string>();
    const { work, end, signals } = manual();
    const both = Promise.all([shared.run('a', open().signal, work), shared.run('a', open().signal, work)]);
    const other = shared.run('b', open().signal, async () => 'other');
    expect(await other).toBe('other');
    end('done');
    expect(await both).toEqual(['done', 'done']);
    expect(signals).toHaveLength(1);
    expect(await shared.run('a', open().signal, async () => 'again')).toBe('again');
  });

  it('goes on for the others when one gives up, and is aborted when all have', async () => {
    const shared = new SharedWork<string>();
    const { work, signals } = manual();
    const [first, second] = [open(), open()];
    const reason = new Error('gave up');
    const waits = [first, second].map((one) =>
      expect(shared.run('a', one.signal, work)).rejects.toBe(reason),
    );
    await tick();
    first.abort(reason);
    await waits[0];
    expect(signals[0]?.aborted).toBe(false);
    second.abort(reason);
    await waits[1];
    expect(signals[0]?.reason).toBe(reason);
    expect(await shared.run('a', open().signal, async () => 'anew')).toBe('anew');
  });

  it('that has closed its door is not joined', async () => {
    const shared = new SharedWork<string>();
    const { work, end } = manual();
    const first = shared.run('a', open().signal, (signal, close) => {
      close();
      return work(signal);
    });
    await tick();
    expect(await shared.run('a', open().signal, async () => 'second')).toBe('second');
    end('first');
    expect(await first).toBe('first');
  });

  it('gives its failure to all', async () => {
    const shared = new SharedWork<string>();
    const fail = () => Promise.reject(new Error('broken'));
    const results = await Promise.allSettled([
      shared.run('a', open().signal, fail),
      shared.run('a', open().signal, fail),
    ]);
    expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected']);
  });
});
