import type { SkillyardClient } from '@skillyard/client';
import type { TurnId, TurnOutcome } from '@skillyard/contracts';
import type { PlannedTurn } from './load-plan.ts';

/** A turn that was submitted. */
export interface Submitted {
  readonly turnId: TurnId;
  readonly plan: PlannedTurn;
}

/** An event as it was streamed. */
interface Received {
  readonly id: string;
  readonly text: string;
}

/** What a listener was sent of one turn. */
export interface Followed extends Submitted {
  readonly received: readonly Received[];
  readonly outcome: TurnOutcome | null;
}

/**
 * Follows a turn to its end.
 * @param onDelay told of each event that happened after the stream was opened: milliseconds until it came. What happened
 *   before is read from the store, and says nothing about how fast events travel
 */
export async function follow(
  client: SkillyardClient,
  submitted: Submitted,
  onDelay: (ms: number) => void,
): Promise<Followed> {
  const received: Received[] = [];
  let outcome: TurnOutcome | null = null;
  const openedAtMs = Date.now();
  for await (const { id, event, outcome: end } of client.watchTurn({ turnId: submitted.turnId })) {
    // A row of a step is told of when the step has ended, and has no time of its own.
    const atMs = 'atMs' in event ? event.atMs : event.startedAtMs + event.durationMs;
    if (atMs >= openedAtMs) onDelay(Math.max(0, Date.now() - atMs));
    received.push({ id, text: JSON.stringify(event) });
    outcome = end ?? null;
  }
  return { ...submitted, received, outcome };
}
