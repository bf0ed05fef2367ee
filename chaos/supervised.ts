import { fileURLToPath } from 'node:url';
import type { Config } from '@skillyard/contracts';
import type { LeaseTimes, Transition } from '@skillyard/queue';
import { killHard, type NodeProcess, spawnNode } from '@skillyard/testing';

/** What a process of the system is started with: options of runOrchestrator or of runWorker. */
export interface ChildSettings {
  readonly role: 'orchestrator' | 'worker';
  readonly config: Config;
  readonly redisUrl: string;
  /**
   * It can be told where to die. Then it does one thing after the other, where it would otherwise send several at once: a
   * suite that gives no orders leaves this out.
   */
  readonly takesOrders?: boolean;
  /** Of a worker. */
  readonly classes?: readonly string[];
  /** Of a worker: after this time without a sign of life it counts as dead. */
  readonly lockMs?: number;
  /** Of an orchestrator. */
  readonly store?: { readonly retentionSeconds: number };
  readonly leases?: LeaseTimes;
}

/** Where a process dies, or hangs: at the n-th time that it reaches this transition. */
export interface Order {
  readonly transition: Transition;
  readonly nth: number;
  /** Default: SIGKILL. */
  readonly signal?: 'SIGKILL' | 'SIGSTOP';
}

/**
 * When a silent process counts as dead: much sooner than in production, so that a suite of hundreds of deaths ends, and
 * late enough for a busy machine.
 */
export const LOCK_MS = 2400;
export const LEASES: LeaseTimes = { leaseMs: 2000, renewMs: 500 };

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
/** On a machine that is busy with other tests. */
const START_MS = 80_000;

/** A process that is started again whenever it dies, as a deployment would. Its replacement has no order to die. */
export class Supervised {
  readonly #settings: ChildSettings;
  #process: NodeProcess | undefined;
  #up: Promise<void> | undefined;
  #stopping = false;
  #orders = 0;
  /** How often it was killed, by its order or by {@link Supervised.kill}. */
  deaths = 0;

  constructor(settings: ChildSettings) {
    this.#settings = settings;
  }

  /** Resolves when the process is ready; after a death, when its replacement is. */
  async ready(): Promise<void> {
    this.#up ??= this.#start();
    await this.#up;
  }

  async #start(): Promise<void> {
    const child = spawnNode(CHILD, [JSON.stringify(this.#settings)]);
    this.#process = child;
    void child.exited.then(({ signal, code }) => {
      if (this.#stopping) return;
      if (signal !== 'SIGKILL') {
        process.stderr.write(`a ${this.#settings.role} ended by itself (${code}):\n${child.stderr()}\n`);
        return;
      }
      this.deaths++;
      this.#up = this.#start();
      this.#up.catch(() => {});
    });
    try {
      await child.wrote('ready\n', START_MS);
    } catch (error) {
      throw new Error(`a ${this.#settings.role} does not start: ${child.stderr()}`, { cause: error });
    }
  }

  /** Tells the process where to die. */
  async order(order: Order): Promise<void> {
    await this.ready();
    const id = ++this.#orders;
    const { transition, nth, signal } = order;
    this.#process?.child.stdin?.write(`${JSON.stringify({ id, transition, nth, signal })}\n`);
    await this.#process?.wrote(`armed ${id}\n`);
  }

  /** Waits until it hangs where it was told to. */
  async hangs(): Promise<void> {
    await this.#process?.wrote('hanging\n');
  }

  /** Lets it go on, as if no time had passed for it. */
  resume(): void {
    this.#process?.child.kill('SIGCONT');
  }

  /** Kills it now. */
  async kill(): Promise<void> {
    if (this.#process !== undefined) await killHard(this.#process);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.kill();
  }
}
