/**
 * Makes a call happen as a whole or not at all: what the world is told is held back until everything has succeeded.
 * A composite and its sub-skill share one of these, so that they are told of in order.
 */
export class Effects {
  #open = false;
  #pending: (() => void)[] = [];

  /** Says something now, or when the call that is under way has succeeded. */
  tell(effect: () => void): void {
    if (this.#open) {
      this.#pending.push(effect);
    } else {
      effect();
    }
  }

  /**
   * @param restore takes back what `work` has changed, if it throws
   */
  async transact<Result>(restore: () => void, work: () => Promise<Result>): Promise<Result> {
    const isOutermost = !this.#open;
    const toldBefore = this.#pending.length;
    this.#open = true;
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      this.#pending.length = toldBefore;
      restore();
      this.#open = !isOutermost;
      throw error;
    }
    if (isOutermost) {
      this.#open = false;
      for (const effect of this.#pending.splice(0)) {
        effect();
      }
    }
    return result;
  }
}
