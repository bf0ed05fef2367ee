import type { JobId, TenantConfig } from '@skillyard/contracts';
import type { TicketRequest } from '@skillyard/queue';
import { describe, expect, it } from 'vitest';
import { Windows } from './windows.ts';

function job(id: string, tenant = 'a', more: Partial<TicketRequest> = {}): TicketRequest {
  return { id: id as JobId, queue: 'model', name: 'generate', effect: 'read', tenant, priority: 5, ...more };
}

function jobs(tenant: string, count: number, more: Partial<TicketRequest> = {}): TicketRequest[] {
  return Array.from({ length: count }, (_, index) => job(`${tenant}.${index}`, tenant, more));
}

const idsOf = (requests: readonly TicketRequest[]): JobId[] => requests.map(({ id }) => id);

function windowsWith(room: number, tenants: Record<string, TenantConfig> = {}): Windows {
  const windows = new Windows(64, (tenant) => tenants[tenant] ?? {});
  windows.resize('model', room);
  return windows;
}

/** Settles job after job of what is in flight, the oldest first. @returns how many of each tenant were let go */
function serve(windows: Windows, inFlight: TicketRequest[], rounds: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const done = inFlight.shift();
    if (done === undefined) throw new Error('nothing is in flight');
    windows.settle([done.id]);
    for (const request of windows.release()) {
      counts.set(request.tenant, (counts.get(request.tenant) ?? 0) + 1);
      inFlight.push(request);
    }
  }
  return counts;
}

describe('Windows', () => {
  it('lets a tenant that is alone fill the room, and no more', () => {
    const windows = windowsWith(8);
    expect(windows.ask(jobs('a', 20))).toHaveLength(8);
    expect(windows.tenantsAt('model').get('a')).toEqual({ held: 12, inFlight: 8 });
    windows.settle(['a.0', 'a.1'] as JobId[]);
    expect(idsOf(windows.release())).toEqual(['a.8', 'a.9']);
  });

  it('lets everything through where the room is without end', () => {
    const windows = new Windows(Infinity, () => ({}));
    expect(windows.ask(jobs('a', 1000))).toHaveLength(1000);
  });

  it('lets a newcomer go on at once, up to its part, though the room is full', () => {
    const windows = windowsWith(8);
    windows.ask(jobs('a', 1000));
    expect(windows.ask(jobs('b', 1))).toHaveLength(1);
    // `b` has one of eight, and `a` and `c` are due half of the rest.
    expect(windows.ask(jobs('c', 100))).toHaveLength(3);
  });

  it('gives what a tenant does not need of its part to those that wait (G2)', () => {
    const windows = windowsWith(8);
    for (const tenant of ['b', 'c', 'd']) windows.ask(jobs(tenant, 1));
    expect(windows.ask(jobs('a', 100))).toHaveLength(5);
  });

  it('shares by weight, where jobs take the same time', () => {
    const windows = windowsWith(8, { a: { weight: 3 } });
    const inFlight = [...windows.ask(jobs('a', 1000)), ...windows.ask(jobs('b', 1000))];
    serve(windows, inFlight, 100);
    const counts = serve(windows, inFlight, 400);
    expect(counts).toEqual(
      new Map([
        ['a', 300],
        ['b', 100],
      ]),
    );
  });

  it('shares by weight over time where there are more tenants than room', () => {
    const windows = windowsWith(2, { a: { weight: 4 } });
    const inFlight = ['a', 'b', 'c', 'd', 'e'].flatMap((tenant) => windows.ask(jobs(tenant, 1000)));
    const counts = serve(windows, inFlight, 400);
    expect(counts.get('a')).toBeGreaterThan(190);
    for (const tenant of ['b', 'c', 'd', 'e']) {
      expect(Math.abs((counts.get(tenant) ?? 0) - 50)).toBeLessThanOrEqual(2);
    }
  });

  it('lets no tenant with slow jobs take the room of others', () => {
    const windows = windowsWith(8);
    const slow = windows.ask(jobs('a', 100));
    const quick = windows.ask(jobs('b', 100));
    expect([slow.length, quick.length]).toEqual([8, 4]);
    // Nothing of `a` ends any more.
    expect(serve(windows, quick, 50)).toEqual(new Map([['b', 50]]));
  });

  it('lets jobs of higher priority go first, then those asked for first (G3)', () => {
    const windows = windowsWith(2);
    windows.ask(jobs('a', 4));
    windows.ask([job('t.0', 'a', { priority: 0 }), job('t.9', 'a', { priority: 9 })]);
    windows.settle(['a.0', 'a.1'] as JobId[]);
    expect(idsOf(windows.release())).toEqual(['t.9', 'a.2']);
    windows.settle(['t.9', 'a.2'] as JobId[]);
    expect(idsOf(windows.release())).toEqual(['a.3', 't.0']);
  });

  it('holds what is above the limit of a tenant, over all queues', () => {
    const windows = windowsWith(8, { a: { jobs_in_flight: 3 } });
    const others = Array.from({ length: 5 }, (_, index) => job(`o.${index}`, 'a', { queue: 'tool.x' }));
    expect(idsOf(windows.ask([...jobs('a', 2), ...others]))).toEqual(['a.0', 'a.1', 'o.0']);
    expect(windows.ask(jobs('b', 20))).toHaveLength(6);
    windows.settle(['a.0'] as JobId[]);
    expect(idsOf(windows.release().filter(({ tenant }) => tenant === 'a'))).toEqual(['o.1']);
  });

  it('gives a job that is in flight again when it is asked for again, and leaves a held one held (G1)', () => {
    const windows = windowsWith(2);
    windows.ask(jobs('a', 3));
    expect(idsOf(windows.ask(jobs('a', 3)))).toEqual(['a.0', 'a.1']);
    expect(windows.tenantsAt('model').get('a')).toMatchObject({ held: 1, inFlight: 2 });
  });

  it('gives out again first what did not get to its queue', () => {
    const windows = windowsWith(2);
    windows.putBack(windows.ask(jobs('a', 4)));
    expect(idsOf(windows.release())).toEqual(['a.0', 'a.1']);
  });

  it('forgets the jobs of a turn that ended or went to another owner (G4)', () => {
    const windows = windowsWith(4);
    windows.ask([...jobs('a', 10), ...jobs('b', 10, { tenant: 'a' })]);
    windows.forget('a' as never);
    expect(idsOf(windows.release())).toEqual(['b.0', 'b.1', 'b.2', 'b.3']);
    windows.forgetIf((turnId) => turnId === 'b');
    expect(windows.tenantsAt('model')).toEqual(new Map());
  });

  it('settles jobs in flight that their turn no longer waits for, and no held one', () => {
    const windows = windowsWith(2);
    windows.ask(jobs('a', 4));
    windows.reconcile('a' as never, new Set(['a.1' as JobId]));
    expect(idsOf(windows.release())).toEqual(['a.2']);
    expect(windows.tenantsAt('model').get('a')).toMatchObject({ held: 1, inFlight: 2 });
  });
});
