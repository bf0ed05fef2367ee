import { SkillyardError } from '@skillyard/contracts';

/** How many event streams may be open in this process. */
export interface StreamLimits {
  readonly all: number;
  /** Of one tenant; undefined where only the limit for all counts. */
  ofTenant(tenant: string): number | undefined;
}

/** Counts the open event streams of this process. */
export class StreamSlots {
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot for a stream.
   * @returns gives it back; to be called once
   * @throws SkillyardError TOO_MANY_STREAMS
   */
  take(tenant: string): () => void {
    const most = this.#limits.ofTenant(tenant) ?? Infinity;
    const open = this.#open.get(tenant) ?? 0;
    if (this.#all >= this.#limits.all) throw tooMany(`${this.#all} event streams are open in this process`);
    if (open >= most) throw tooMany(`${open} event streams of tenant "${tenant}" are open`);
    this.#all += 1;
    this.#open.set(tenant, open + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#open.get(tenant) ?? 1) - 1;
      if (left === 0) this.#open.delete(tenant);
      else this.#open.set(tenant, left);
    };
  }
}

function tooMany(what: string): SkillyardError {
  return new SkillyardError('TOO_MANY_STREAMS', `${what}, and no more may be; close one, or try again later`);
}
