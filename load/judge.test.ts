import { type TraceEvent, turnId, type TurnOutcome } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { judge, type Stored } from './judge.ts';
import type { Followed } from './listener.ts';

const EVENTS: Stored[] = ['1-0', '1-1', '2-0'].map((id) => ({ id, event: started(id) }));

function started(path: string): TraceEvent {
  return { type: 'step.started', path, name: 'think', kind: 'instruction', branch: false, atMs: 1 };
}

function followed(events: readonly Stored[], outcome: Partial<TurnOutcome> | null = {}): Followed {
  const right = { status: 'completed', answer: 'Say request 1', error: null };
  return {
    turnId: turnId('t1'),
    plan: { tenant: 'acme', kind: 'chain', input: 'request 1', orchestrator: 0 },
    received: events.map(({ id, event }) => ({ id, text: JSON.stringify(event) })),
    outcome: outcome === null ? null : ({ ...right, ...outcome } as TurnOutcome),
  };
}

describe('the judge of the load test', () => {
  const [first, second, third] = EVENTS as [Stored, Stored, Stored];

  it('says nothing of a turn whose events all came, once and in order', () => {
    expect(judge(followed(EVENTS), EVENTS)).toEqual([]);
  });

  it.each([
    ['lost', [first, third], '1 events were lost: 1-1'],
    ['doubled', [first, second, second, third], '1 events came twice'],
    ['out of order', [first, third, second], 'its events came in another order'],
    ['changed', [first, { id: '1-1', event: started('9') }, third], '1 events came changed'],
  ])('tells of an event that was %s', (_, events, complaint) => {
    expect(judge(followed(events), EVENTS).join()).toContain(complaint);
  });

  it('tells of a turn that failed, that answered for another, and whose outcome did not come', () => {
    expect(judge(followed(EVENTS, { status: 'failed' }), EVENTS).join()).toContain('ended as failed');
    expect(judge(followed(EVENTS, { answer: 'Say request 2' }), EVENTS)).toHaveLength(1);
    expect(judge(followed(EVENTS, null), EVENTS).join()).toContain('no outcome was streamed');
  });
});
