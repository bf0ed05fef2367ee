import type { JobId, TurnId } from '@skillyard/contracts';
import type { TicketRequest } from '@skillyard/queue';
import {
  type Arbitrary,
  array,
  assert,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Windows } from './windows.ts';

const TENANTS = ['a', 'b', 'c'];
const QUEUES = ['model', 'tool.x'];
const WEIGHTS: Record<string, number> = { a: 1, b: 2, c: 0.5 };
/** `c` may have three jobs in flight. */
const LIMIT = 3;

type Act =
  | { readonly act: 'ask'; readonly tenant: string; readonly queue: string; readonly priorities: number[] }
  | { readonly act: 'ask again' | 'settle' | 'put back'; readonly pick: number }
  | { readonly act: 'forget'; readonly pick: number }
  | { readonly act: 'resize'; readonly queue: string; readonly room: number };

const anyAct: Arbitrary<Act> = oneof(
  record({
    act: constant('ask' as const),
    tenant: constantFrom(...TENANTS),
    queue: constantFrom(...QUEUES),
    priorities: array(integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }),
  }),
  record({ act: constantFrom('ask again' as const, 'put back' as const), pick: nat() }),
  { arbitrary: record({ act: constant('settle' as const), pick: nat() }), weight: 4 },
  record({ act: constant('forget' as const), pick: nat() }),
  record({
    act: constant('resize' as const),
    queue: constantFrom(...QUEUES),
    room: integer({ min: 2, max: 12 }),
  }),
);

/** Windows, and beside them what must be true of them, kept in the plainest way. */
class Rig {
  readonly #windows = new Windows(4, (tenant) => ({
    weight: WEIGHTS[tenant] ?? 1,
    ...(tenant === 'c' && { jobs_in_flight: LIMIT }),
  }));
  readonly #rooms = new Map(QUEUES.map((queue) => [queue, 4]));
  #held: TicketRequest[] = [];
  #inFlight: TicketRequest[] = [];
  #turns = 0;

  run(act: Act): void {
    switch (act.act) {
      case 'ask':
        return this.#ask(act);
      case 'ask again': {
        const [going, waiting] = [pick(this.#inFlight, act.pick), pick(this.#held, act.pick)];
        if (going !== undefined) expect(this.#windows.ask([going])).toEqual([going]);
        if (waiting !== undefined) expect(this.#windows.ask([waiting])).toEqual([]);
        return;
      }
      case 'settle': {
        const job = pick(act.pick % 5 === 0 ? this.#held : this.#inFlight, act.pick);
        this.#windows.settle([job?.id ?? ('unknown.0' as JobId), 'unknown.1' as JobId]);
        this.#drop((one) => one === job);
        return this.#given(this.#windows.release());
      }
      case 'put back':
        return this.#putBack(pick(this.#inFlight, act.pick));
      case 'forget': {
        const turn = `t${act.pick % Math.max(1, this.#turns)}`;
        this.#windows.forget(turn as TurnId);
        this.#drop(({ id }) => id.startsWith(`${turn}.`));
        return this.#given(this.#windows.release());
      }
      case 'resize':
        this.#windows.resize(act.queue, act.room);
        this.#rooms.set(act.queue, act.room);
        return this.#given(this.#windows.release());
    }
  }

  check(): void {
    for (const queue of QUEUES) {
      const tenants = this.#windows.tenantsAt(queue);
      for (const tenant of TENANTS) {
        const { held = 0, inFlight = 0 } = tenants.get(tenant) ?? {};
        expect(held).toBe(count(this.#held, tenant, queue));
        expect(inFlight).toBe(count(this.#inFlight, tenant, queue));
      }
      const couldGo = TENANTS.some(
        (tenant) =>
          count(this.#held, tenant, queue) > 0 && (tenant !== 'c' || count(this.#inFlight, 'c') < LIMIT),
      );
      const used = this.#inFlight.filter((job) => job.queue === queue).length;
      // G2: whoever could go on finds the room full.
      if (couldGo) expect(used).toBeGreaterThanOrEqual(this.#rooms.get(queue) ?? 0);
    }
    expect(count(this.#inFlight, 'c')).toBeLessThanOrEqual(LIMIT);
  }

  #ask({ tenant, queue, priorities }: Act & { act: 'ask' }): void {
    const turn = `t${this.#turns++}`;
    const requests = priorities.map((priority, index) => ({
      id: `${turn}.${index}` as JobId,
      queue,
      name: 'x',
      effect: 'read' as const,
      tenant,
      priority,
    }));
    this.#held.push(...requests);
    this.#given(this.#windows.ask(requests));
  }

  #putBack(job: TicketRequest | undefined): void {
    if (job === undefined) return;
    this.#windows.putBack([job]);
    this.#drop((one) => one === job);
    this.#held.unshift(job);
    this.#given(this.#windows.release());
  }

  /** Jobs were given out: each was held, and nothing of its tenant at its queue should have come before it (G3). */
  #given(requests: readonly TicketRequest[]): void {
    for (const request of requests) {
      const rivals = this.#held.filter(
        ({ tenant, queue }) => tenant === request.tenant && queue === request.queue,
      );
      const first = Math.max(...rivals.map(({ priority }) => priority));
      expect(rivals.find(({ priority }) => priority === first)).toBe(request);
      this.#drop((one) => one === request);
      this.#inFlight.push(request);
    }
  }

  #drop(condition: (job: TicketRequest) => boolean): void {
    this.#held = this.#held.filter((job) => !condition(job));
    this.#inFlight = this.#inFlight.filter((job) => !condition(job));
  }
}

function pick(jobs: readonly TicketRequest[], at: number): TicketRequest | undefined {
  return jobs[at % Math.max(1, jobs.length)];
}

function count(jobs: readonly TicketRequest[], tenant: string, queue?: string): number {
  return jobs.filter((job) => job.tenant === tenant && (queue ?? job.queue) === job.queue).length;
}

describe('Windows, whatever happens', () => {
  it('lose nothing, give nothing twice, keep the order within a tenant and leave no room unused (G1..G4)', () => {
    assert(
      property(array(anyAct, { maxLength: 60 }), (acts) => {
        const rig = new Rig();
        for (const act of acts) {
          rig.run(act);
          rig.check();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('share by weight when all have enough to do, whatever the room', () => {
    const anyParty = record({ weight: integer({ min: 1, max: 8 }) });
    assert(
      property(
        array(anyParty, { minLength: 2, maxLength: 5 }),
        integer({ min: 1, max: 12 }),
        (parties, room) => {
          const weightOf = (tenant: string): number => parties[Number(tenant)]?.weight ?? 1;
          const windows = new Windows(room, (tenant) => ({ weight: weightOf(tenant) }));
          const inFlight: TicketRequest[] = [];
          const counts = parties.map(() => 0);
          const take = (requests: readonly TicketRequest[]): void => {
            for (const request of requests) {
              const tenant = Number(request.tenant);
              counts[tenant] = (counts[tenant] ?? 0) + 1;
              inFlight.push(request);
            }
          };
          for (const index of parties.keys()) {
            const jobs = Array.from({ length: 3000 }, (_, job) => ({
              id: `t${index}.${job}` as JobId,
              queue: 'model',
              name: 'x',
              effect: 'read' as const,
              tenant: String(index),
              priority: 5,
            }));
            take(windows.ask(jobs));
          }
          for (let round = 0; round < 1200; round++) {
            const done = inFlight.shift();
            if (done !== undefined) windows.settle([done.id]);
            take(windows.release());
          }
          const all = parties.reduce((sum, { weight }) => sum + weight, 0);
          const total = counts.reduce((sum, one) => sum + one, 0);
          for (const [index, { weight }] of parties.entries()) {
            expect(Math.abs((counts[index] ?? 0) / total - weight / all)).toBeLessThan(0.05);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
