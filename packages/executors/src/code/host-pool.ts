import type { CodeRef } from '@skillyard/contracts';
import type { CodeBundles } from './code-bundles.ts';
import { HostProcess, type HostProcessOptions, type HostRequest } from './host-process.ts';

export interface HostPoolOptions extends HostProcessOptions {
  readonly bundles: CodeBundles;
  /** Processes that are kept for the next request. More run at once when more are busy. */
  readonly maxProcesses: number;
}

/**
 * The processes that run the code of skills, kept warm. Decisions and actions of a skill have one each: a decision that
 * hangs must not take the actions of other turns with it, which may not be repeated.
 */
export class HostPool {
  readonly #options: HostPoolOptions;
  /** The one that was used last is the last. */
  readonly #processes = new Map<string, HostProcess>();
  /** Out of use, with something that still waits for them. */
  readonly #retired = new Set<HostProcess>();

  constructor(options: HostPoolOptions) {
    this.#options = options;
  }

  /**
   * A process for a request, started if there is none.
   * @throws SkillyardError CODE_UNKNOWN
   */
  async process(code: CodeRef, use: HostRequest['op']): Promise<HostProcess> {
    const key = `${use} ${code.sha256}`;
    let found = this.#usable(key);
    if (found === undefined) {
      const bundle = await this.#options.bundles.find(code);
      found = this.#usable(key) ?? new HostProcess(bundle, this.#options);
    }
    this.#processes.delete(key);
    this.#processes.set(key, found);
    this.#trim(found);
    return found;
  }

  async close(): Promise<void> {
    const all = [...this.#processes.values(), ...this.#retired];
    this.#processes.clear();
    this.#retired.clear();
    await Promise.all(all.map((one) => one.close()));
  }

  #usable(key: string): HostProcess | undefined {
    const known = this.#processes.get(key);
    if (known === undefined || known.isUsable) return known;
    this.#processes.delete(key);
    if (!known.isIdle) this.#retired.add(known);
    for (const one of this.#retired) if (one.isIdle) this.#retired.delete(one);
    return undefined;
  }

  /** Ends the idle processes that were used the longest ago, when there are too many. */
  #trim(wanted: HostProcess): void {
    let over = this.#processes.size - this.#options.maxProcesses;
    for (const [key, one] of this.#processes) {
      if (over <= 0) return;
      if (!one.isIdle || one === wanted) continue;
      this.#processes.delete(key);
      void one.close();
      over--;
    }
  }
}
