import { ClassCapacity, delayedJobs, HeldJobs, type QueueConnection } from '@skillyard/queue';
import { partOfRoom, roomOf } from './room.ts';
import type { Windows } from './windows.ts';

export interface WindowWatchParts {
  readonly connection: QueueConnection;
  readonly windows: Windows;
  /** The name of this orchestrator. */
  readonly owner: string;
  /** The queues that are known before a job is asked for. */
  readonly queues: readonly string[];
  readonly weightOf: (tenant: string) => number;
  /** Called when there may be more room than before. */
  readonly release: () => Promise<void>;
  readonly onError: (error: Error) => void;
}

/** How often the others are looked at, and told what is held here. */
const EVERY_MS = 1000;

/** Fits the windows to the workers that live and to what the other orchestrators hold back, and tells those of ours. */
export class WindowWatch {
  readonly #parts: WindowWatchParts;
  readonly #capacity: ClassCapacity;
  readonly #held: HeldJobs;
  /** Queues at which the others believe that jobs are held here. */
  readonly #told = new Set<string>();
  /** On the monotonic clock. */
  #lookedAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: WindowWatchParts) {
    this.#parts = parts;
    this.#capacity = new ClassCapacity(parts.connection);
    this.#held = new HeldJobs(parts.connection);
  }

  /** Looks once, and from then on again and again. */
  async start(): Promise<void> {
    await this.#look();
    this.#later();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    // While Redis is away nobody can be told; the others stop believing it by themselves.
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, EVERY_MS);
    });
    await Promise.race([this.#goodbye(), patience]);
    clearTimeout(timer);
  }

  async #goodbye(): Promise<void> {
    const { owner } = this.#parts;
    await this.#looking;
    try {
      await Promise.all([...this.#told].map((queue) => this.#held.remove(queue, owner)));
    } catch (error) {
      this.#complain(error);
    }
  }

  #later(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#later());
    }, EVERY_MS);
  }

  async #look(): Promise<void> {
    const { windows, queues, release } = this.#parts;
    const nowMs = performance.now();
    const spanMs = Math.max(1, nowMs - this.#lookedAtMs);
    this.#lookedAtMs = nowMs;
    try {
      await Promise.all(
        [...new Set([...queues, ...windows.queues])].map((queue) => this.#fit(queue, spanMs)),
      );
      await release();
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error: unknown): void {
    this.#parts.onError(error instanceof Error ? error : new Error(String(error)));
  }

  /** @param spanMs since the last look */
  async #fit(queue: string, spanMs: number): Promise<void> {
    const { windows, owner, weightOf } = this.#parts;
    const donePerMs = windows.takeSettled(queue) / spanMs;
    const [capacity, owners] = await Promise.all([
      this.#capacity.read(queue),
      this.#held.byOwner(queue),
      this.#tell(queue),
    ]);
    owners.delete(owner);
    const mine = [...windows.tenantsAt(queue).keys()];
    const others = [...owners.values()].map((tenants) => [...tenants.keys()]);
    windows.resize(queue, partOfRoom(roomOf(capacity, donePerMs), mine, others, weightOf));
  }

  async #tell(queue: string): Promise<void> {
    const { connection, windows, owner } = this.#parts;
    const tenants = windows.tenantsAt(queue);
    const isHolding = [...tenants.values()].some(({ held }) => held > 0);
    if (isHolding) {
      // Others need not wait for the next attempt at a job while no worker has anything to do.
      windows.settle(await delayedJobs(connection, queue));
      this.#told.add(queue);
      await this.#held.write(queue, owner, tenants);
    } else if (this.#told.delete(queue)) {
      await this.#held.remove(queue, owner);
    }
  }
}
