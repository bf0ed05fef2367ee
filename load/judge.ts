import type { TraceEvent } from '@skillyard/contracts';
import type { Followed } from './listener.ts';

/** Differences that are told of one turn. */
const TOLD = 3;

/** An event as the trace of its turn has it. */
export interface Stored {
  readonly id: string;
  readonly event: TraceEvent;
}

/** Compares what a listener was sent with what is stored. @returns what is wrong, nothing when all is well */
export function judge(followed: Followed, stored: readonly Stored[]): string[] {
  const { turnId, plan, received, outcome } = followed;
  const complaints: string[] = [];
  const complain = (what: string): void => void complaints.push(`${turnId} (${plan.kind}): ${what}`);
  if (outcome === null) complain('no outcome was streamed');
  else if (outcome.status !== 'completed' || !outcome.answer.endsWith(plan.input)) {
    complain(`ended as ${outcome.status} with "${outcome.answer}" ${JSON.stringify(outcome.error)}`);
  }
  const ids = received.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) complain(`${ids.length - new Set(ids).size} events came twice`);
  const expected = stored.map(({ id }) => id);
  const lost = expected.filter((id) => !ids.includes(id));
  if (lost.length > 0) complain(`${lost.length} events were lost: ${lost.slice(0, TOLD).join(', ')}`);
  else if (expected.join() !== ids.join()) complain('its events came in another order, or some came besides');
  const differing = stored.filter(
    ({ id, event }) => received.find((one) => one.id === id)?.text !== JSON.stringify(event),
  );
  if (lost.length === 0 && differing.length > 0) complain(`${differing.length} events came changed`);
  return complaints;
}
