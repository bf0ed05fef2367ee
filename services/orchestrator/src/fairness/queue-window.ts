/**
 * How many jobs of one queue are let through to its workers, and whose is the next.
 *
 * A tenant is due a part of the room by its weight. What a tenant does not need of its part is shared among those that
 * have jobs held, so that workers never idle while somebody waits. Up to the whole jobs of its part a tenant goes on even
 * if the others have more than theirs: a newcomer does not wait for those who filled the room before it came. Beyond that
 * the room is the limit, and the order is by strides: each job that goes costs its tenant `1 / weight`, and whoever has
 * spent least is next. So weights hold over time even where there are more tenants than room.
 */
import { type AskedJob, HeldRequests } from './held-requests.ts';

/** Rounding errors of parts are less than this. */
const EPSILON = 1e-9;

/** A tenant at a queue. */
export class Party {
  readonly tenant: string;
  readonly weight: number;
  readonly held = new HeldRequests();
  inFlight = 0;
  /** What it has spent, in strides. */
  spent: number;

  constructor(tenant: string, weight: number, spent: number) {
    this.tenant = tenant;
    this.weight = weight;
    this.spent = spent;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.held.size === 0;
  }
}

export class QueueWindow {
  readonly parties = new Map<string, Party>();
  /** Jobs that may be in flight at once. */
  room: number;
  /** Jobs in flight that were settled since somebody set this to 0. */
  settled = 0;
  #inFlight = 0;
  #held = 0;
  /** What a tenant had spent when it was last let go on: where newcomers begin. */
  #level = 0;

  constructor(room: number) {
    this.room = room;
  }

  get held(): number {
    return this.#held;
  }

  hold(job: AskedJob, weightOf: (tenant: string) => number): void {
    const party = this.#partyOf(job, weightOf);
    // What it did not ask for while it was away is not owed to it.
    if (party.held.size === 0) party.spent = Math.max(party.spent, this.#level);
    job.state = 'held';
    party.held.push(job);
    this.#held++;
  }

  /** Takes a job back that was let go and did not get to its queue. */
  putBack(job: AskedJob): void {
    const party = this.parties.get(job.request.tenant);
    if (party === undefined || job.state !== 'in flight') return;
    job.state = 'held';
    party.held.putBack(job);
    party.inFlight--;
    this.#inFlight--;
    this.#held++;
  }

  /** A job is done, or no longer wanted. */
  settle(job: AskedJob): void {
    const party = this.parties.get(job.request.tenant);
    if (party === undefined) return;
    if (job.state === 'held') {
      this.#held--;
      party.held.forget(job);
    } else if (job.state === 'in flight') {
      this.#inFlight--;
      this.settled++;
      party.inFlight--;
      job.state = 'settled';
    }
  }

  /**
   * Lets the next job go.
   * @param isBlocked whether a tenant may have no more in flight, whatever its part here
   * @returns undefined when nobody may go on
   */
  letGo(isBlocked: (tenant: string) => boolean): AskedJob | undefined {
    if (this.#held === 0) return undefined;
    const waiting = [...this.parties.values()].filter(
      ({ held, tenant }) => held.size > 0 && !isBlocked(tenant),
    );
    const room = this.#roomFor(waiting);
    const weights = sumOf(waiting);
    let next: Party | undefined;
    for (const party of waiting) {
      const part = (room * party.weight) / weights;
      if (this.#mayGo(party, part) && (next === undefined || party.spent < next.spent)) next = party;
    }
    const job = next?.held.take();
    if (next === undefined || job === undefined) return undefined;
    job.state = 'in flight';
    next.inFlight++;
    this.#inFlight++;
    this.#held--;
    this.#level = next.spent;
    next.spent += 1 / next.weight;
    return job;
  }

  /** Forgets tenants that have nothing here. */
  prune(): void {
    for (const [tenant, party] of this.parties) if (party.isIdle) this.parties.delete(tenant);
  }

  /** What those that wait share: the room without what the others use of their parts. */
  #roomFor(waiting: readonly Party[]): number {
    const active = [...this.parties.values()].filter((party) => !party.isIdle);
    if (active.length === waiting.length) return this.room;
    const weights = sumOf(active);
    const wanting = new Set(waiting);
    let room = this.room;
    for (const party of active) {
      if (wanting.has(party)) continue;
      room -= Math.min(party.inFlight, (this.room * party.weight) / weights);
    }
    return room;
  }

  #mayGo({ inFlight }: Party, part: number): boolean {
    if (inFlight < Math.floor(part + EPSILON)) return true;
    return this.#inFlight < this.room && inFlight < Math.max(1, Math.ceil(part - EPSILON));
  }

  #partyOf({ request: { tenant } }: AskedJob, weightOf: (tenant: string) => number): Party {
    const known = this.parties.get(tenant);
    if (known !== undefined) return known;
    const party = new Party(tenant, weightOf(tenant), this.#level);
    this.parties.set(tenant, party);
    return party;
  }
}

function sumOf(parties: readonly Party[]): number {
  return parties.reduce((sum, { weight }) => sum + weight, 0);
}
