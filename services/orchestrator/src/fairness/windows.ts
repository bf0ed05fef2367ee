/**
 * The windows through which jobs get to the queues of their classes (ADR 0011).
 *
 * A queue is kept short, so that what is taken next is decided here, by tenant, and not by who filled the queue first.
 * A job that has to wait is held: in memory only, for its turn's outbox has it already, and whoever takes over its turn
 * asks for it again.
 *
 * G1  A job that was asked for is held, or in flight, or settled; it is let go once. Asking again for one that is in
 *     flight gives it again: its ticket may be lost, and a queue that has it ignores a second one (Q3).
 * G2  Nobody is held while its part of the room is free; no room is free while somebody is held that is not at a limit
 *     of its own.
 * G3  Among the jobs of a tenant at a queue those of higher priority go first, then those asked for first.
 * G4  What is unknown here may be settled. A job in flight that nobody will settle is settled when its turn ends, goes to
 *     another owner, or is looked through.
 */
import { type JobId, type TenantConfig, type TurnId, turnOfJob } from '@skillyard/contracts';
import type { TenantJobs, TicketRequest } from '@skillyard/queue';
import type { AskedJob } from './held-requests.ts';
import { QueueWindow } from './queue-window.ts';

export class Windows {
  readonly #firstRoom: number;
  readonly #limitsOf: (tenant: string) => TenantConfig;
  readonly #queues = new Map<string, QueueWindow>();
  readonly #turns = new Map<TurnId, Map<JobId, AskedJob>>();
  /** Jobs in flight of each tenant, over all queues. */
  readonly #inFlight = new Map<string, number>();

  /** @param room of a queue until another one is said */
  constructor(room: number, limitsOf: (tenant: string) => TenantConfig) {
    this.#firstRoom = room;
    this.#limitsOf = limitsOf;
  }

  /** The queues that jobs were asked for. */
  get queues(): string[] {
    return [...this.#queues.keys()];
  }

  /** Asks for jobs. @returns what may be put into the queues now, jobs of others that were held among it */
  ask(requests: readonly TicketRequest[]): TicketRequest[] {
    const again: TicketRequest[] = [];
    for (const request of requests) {
      const known = this.#turns.get(turnOfJob(request.id))?.get(request.id);
      if (known === undefined) this.#hold(request);
      else if (known.state === 'in flight') again.push(request);
    }
    return [...again, ...this.release()];
  }

  /** What may be put into the queues now of what is held. */
  release(): TicketRequest[] {
    const released: TicketRequest[] = [];
    const full: [string, QueueWindow][] = [];
    for (const [name, window] of this.#queues) {
      if (window.held === 0) continue;
      for (let job = this.#letGo(window); job !== undefined; job = this.#letGo(window)) {
        released.push(job.request);
      }
      if (window.held > 0) full.push([name, window]);
    }
    // Where a limit of a tenant over all queues holds its jobs, another queue comes first the next time.
    for (const [name, window] of full.slice(0, 1)) {
      this.#queues.delete(name);
      this.#queues.set(name, window);
    }
    return released;
  }

  /** Takes jobs back that were given out and did not get to their queues. */
  putBack(requests: readonly TicketRequest[]): void {
    for (const { id, queue, tenant } of requests.toReversed()) {
      const job = this.#turns.get(turnOfJob(id))?.get(id);
      if (job?.state !== 'in flight') continue;
      this.#queues.get(queue)?.putBack(job);
      this.#count(tenant, -1);
    }
  }

  /** These jobs are done, or no longer wanted. */
  settle(ids: Iterable<JobId>): void {
    for (const id of ids) {
      const jobs = this.#turns.get(turnOfJob(id));
      const job = jobs?.get(id);
      if (jobs === undefined || job === undefined) continue;
      jobs.delete(id);
      if (jobs.size === 0) this.#turns.delete(turnOfJob(id));
      if (job.state === 'in flight') this.#count(job.request.tenant, -1);
      this.#queues.get(job.request.queue)?.settle(job);
    }
  }

  /** A turn has ended, or is somebody else's. */
  forget(turnId: TurnId): void {
    this.settle(this.#turns.get(turnId)?.keys() ?? []);
  }

  /** Forgets the turns of which this is true. */
  forgetIf(condition: (turnId: TurnId) => boolean): void {
    for (const turnId of this.#turns.keys()) if (condition(turnId)) this.forget(turnId);
  }

  /** Settles jobs of a turn in flight that it no longer waits for. A job that is held may be newer than this knowledge. */
  reconcile(turnId: TurnId, pending: ReadonlySet<JobId>): void {
    const jobs = this.#turns.get(turnId);
    if (jobs === undefined) return;
    this.settle([...jobs].filter(([id, { state }]) => state === 'in flight' && !pending.has(id)).map(idOf));
  }

  /** Gives a queue another room. */
  resize(queue: string, room: number): void {
    const window = this.#window(queue);
    window.room = room;
    window.prune();
  }

  /** Jobs of a queue that have ended since the last time this was asked. */
  takeSettled(queue: string): number {
    const window = this.#queues.get(queue);
    if (window === undefined) return 0;
    const { settled } = window;
    window.settled = 0;
    return settled;
  }

  /** Who has jobs at a queue. */
  tenantsAt(queue: string): Map<string, TenantJobs> {
    const window = this.#queues.get(queue);
    const found = new Map<string, TenantJobs>();
    for (const party of window?.parties.values() ?? []) {
      if (party.isIdle) continue;
      found.set(party.tenant, { held: party.held.size, inFlight: party.inFlight });
    }
    return found;
  }

  #hold(request: TicketRequest): void {
    const job: AskedJob = { request, state: 'held' };
    const turnId = turnOfJob(request.id);
    const jobs = this.#turns.get(turnId);
    if (jobs === undefined) this.#turns.set(turnId, new Map([[request.id, job]]));
    else jobs.set(request.id, job);
    this.#window(request.queue).hold(job, (tenant) => this.#limitsOf(tenant).weight ?? 1);
  }

  #letGo(window: QueueWindow): AskedJob | undefined {
    const job = window.letGo((tenant) => this.#isAtLimit(tenant));
    if (job !== undefined) this.#count(job.request.tenant, 1);
    return job;
  }

  #isAtLimit(tenant: string): boolean {
    const { jobs_in_flight: most } = this.#limitsOf(tenant);
    return most !== undefined && (this.#inFlight.get(tenant) ?? 0) >= most;
  }

  #count(tenant: string, change: 1 | -1): void {
    const now = (this.#inFlight.get(tenant) ?? 0) + change;
    if (now === 0) this.#inFlight.delete(tenant);
    else this.#inFlight.set(tenant, now);
  }

  #window(queue: string): QueueWindow {
    const known = this.#queues.get(queue);
    if (known !== undefined) return known;
    const window = new QueueWindow(this.#firstRoom);
    this.#queues.set(queue, window);
    return window;
  }
}

function idOf([id]: [JobId, AskedJob]): JobId {
  return id;
}
