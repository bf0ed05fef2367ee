/** Gives a connection up that nothing is heard of for a while. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #longestMs: number;
  #timer: ReturnType<typeof setTimeout>;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
    this.#timer = this.#start();
  }

  /** Given when it has lasted too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something was heard. */
  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  /** Nobody listens any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(), this.#longestMs);
  }
}
