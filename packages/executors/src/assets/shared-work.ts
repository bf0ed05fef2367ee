import { unlessAborted } from '../unless-aborted.ts';

interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * Work that several may wait for at once: a thousand turns that want the same asset in the same second ask its source
 * once. Whoever gives up leaves the others alone; when nobody is left, the work is aborted.
 */
export class SharedWork<T> {
  readonly #open = new Map<string, Running<T>>();

  /**
   * Joins the work of this name, or starts it.
   * @param work `close` keeps later callers out: they want an answer that is no older than their question
   */
  async run(
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, close: () => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const running = this.#open.get(name) ?? this.#start(name, work);
    running.waiting++;
    try {
      return await unlessAborted(running.result, signal);
    } finally {
      running.waiting--;
      if (running.waiting === 0) {
        this.#close(name, running);
        running.abort.abort(signal.reason);
      }
    }
  }

  #start(name: string, work: (signal: AbortSignal, close: () => void) => Promise<T>): Running<T> {
    const abort = new AbortController();
    // A tick later, so that what it closes is there.
    const result = Promise.resolve().then(() => work(abort.signal, () => this.#close(name, running)));
    const running: Running<T> = { result, abort, waiting: 0 };
    this.#open.set(name, running);
    return running;
  }

  #close(name: string, running: Running<T>): void {
    if (this.#open.get(name) === running) this.#open.delete(name);
  }
}
