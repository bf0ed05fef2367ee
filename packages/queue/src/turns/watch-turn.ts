import { SkillyardError, type TraceEvent, type TurnId, type TurnOutcome } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { StoredTurn } from './stored-turn.ts';
import type { TraceHub, TraceNews } from './trace-hub.ts';
import { TurnStore } from './turn-store.ts';

/** One event of a turn. */
export interface WatchedEvent {
  /** Where to go on after it. */
  readonly id: string;
  readonly event: TraceEvent;
  /** With the last event only: how the turn ended. */
  readonly outcome?: TurnOutcome;
}

export interface WatchOptions {
  /** Only what came after this event. */
  readonly after?: string;
  /** Ends the watching, without an error. */
  readonly signal?: AbortSignal;
}

/** Entries that are read at once. */
const COUNT = 200;
/** How often a turn without news is asked whether it has ended: its end is news, unless it was forgotten meanwhile. */
const LOOK_MS = 10_000;

/**
 * Watches a turn from its beginning, or from an event on, to its end.
 * The last event is `turn.finished` and carries the outcome. One of a turn that was reopened since is not the last.
 * @param hub says when there is something new; shared by all who watch over a connection
 * @throws SkillyardError TURN_NOT_FOUND if there is no such turn, or no longer
 */
export async function* watchTurn(
  connection: QueueConnection,
  hub: TraceHub,
  turnId: TurnId,
  { after, signal }: WatchOptions = {},
): AsyncGenerator<WatchedEvent> {
  const store = new TurnStore(connection);
  const first = await store.read(turnId);
  if (first === null) throw notFound(turnId);
  const trace = connection.keys.turn(turnId).trace;
  let position = after ?? '0-0';
  let isOver = endOf(first).ended;
  let news: TraceNews | null = null;
  try {
    for (;;) {
      if (signal?.aborted === true) return;
      const entries = await connection.redis.xrange(trace, `(${position}`, '+', 'COUNT', COUNT);
      for (const [id, fields] of entries) {
        const event = JSON.parse(fields[1] ?? '{}') as TraceEvent;
        position = id;
        const end = event.type === 'turn.finished' ? endOf(await store.read(turnId)) : null;
        // The turn was looked at before its trace is: whatever reopens it after that is in the trace.
        if (end?.ended === true && !(await isReopened(connection, trace, id))) {
          yield { id, event, ...(end.outcome && { outcome: end.outcome }) };
          return;
        }
        yield { id, event };
      }
      if (entries.length > 0) continue;
      // Nothing came after an end that was seen: it was watched to the end before, or it was forgotten meanwhile.
      if (isOver) return;
      if (news === null) news = hub.follow(trace, position);
      else if (!(await news.wait(LOOK_MS, signal))) isOver = endOf(await store.read(turnId)).ended;
    }
  } finally {
    news?.close();
  }
}

interface End {
  readonly ended: boolean;
  readonly outcome?: TurnOutcome | null;
}

/** A turn that is gone has ended, long ago. */
function endOf(stored: StoredTurn | null): End {
  return stored === null
    ? { ended: true }
    : { ended: stored.view.outcome !== null, outcome: stored.view.outcome };
}

/** Whether a turn was reopened after an entry of its trace. */
async function isReopened({ redis }: QueueConnection, trace: string, after: string): Promise<boolean> {
  const later = await redis.xrange(trace, `(${after}`, '+', 'COUNT', LATER);
  return later.some(([, fields]) => (fields[1] ?? '').startsWith('{"type":"turn.reopened"'));
}

/** After the end of a turn there are notices of its last jobs, and little else. */
const LATER = 1000;

export function notFound(turnId: TurnId): SkillyardError {
  const message = `There is no turn "${turnId}". It was never submitted, or it ended so long ago that it was forgotten.`;
  return new SkillyardError('TURN_NOT_FOUND', message, { details: { turnId } });
}
