import { SkillyardError, type TraceEvent, type TurnId, type TurnOutcome } from '@skillyard/contracts';
import type { Redis } from 'ioredis';
import { BLOCK_MS, type QueueConnection } from '../connection.ts';
import type { StoredTurn } from './stored-turn.ts';
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

type Entry = [id: string, fields: string[]];

/**
 * Watches a turn from its beginning, or from an event on, to its end.
 * The last event is `turn.finished` and carries the outcome. One of a turn that was reopened since is not the last.
 * @throws SkillyardError TURN_NOT_FOUND if there is no such turn, or no longer
 */
export async function* watchTurn(
  connection: QueueConnection,
  turnId: TurnId,
  options: WatchOptions = {},
): AsyncGenerator<WatchedEvent> {
  const store = new TurnStore(connection);
  const first = await store.read(turnId);
  if (first === null) throw notFound(turnId);
  const { signal } = options;
  const reader = connection.open();
  const stop = (): void => reader.disconnect();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const stream = connection.keys.turn(turnId).trace;
    yield* follow(reader, stream, options, endOf(first), async () => endOf(await store.read(turnId)));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    reader.disconnect();
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

async function* follow(
  reader: Redis,
  stream: string,
  options: WatchOptions,
  { ended }: End,
  readEnd: () => Promise<End>,
): AsyncGenerator<WatchedEvent> {
  let after = options.after ?? '0-0';
  for (let over = ended; ;) {
    if (options.signal?.aborted === true) return;
    const reply = await reader.xread('COUNT', 500, 'BLOCK', over ? 1 : BLOCK_MS, 'STREAMS', stream, after);
    const entries: Entry[] = reply?.[0]?.[1] ?? [];
    for (const [id, fields] of entries) {
      const event = JSON.parse(fields[1] ?? '{}') as TraceEvent;
      after = id;
      if (event.type === 'turn.finished' && !(await isReopened(reader, stream, id))) {
        const { outcome } = await readEnd();
        yield { id, event, ...(outcome && { outcome }) };
        return;
      }
      yield { id, event };
    }
    if (entries.length > 0) continue;
    // Nothing came after an end that was seen: it was watched to the end before, or it was forgotten meanwhile.
    if (over) return;
    over = (await readEnd()).ended;
  }
}

/** Whether a turn was reopened after an entry of its trace. */
async function isReopened(reader: Redis, stream: string, after: string): Promise<boolean> {
  const later = await reader.xrange(stream, `(${after}`, '+', 'COUNT', LATER);
  return later.some(([, fields]) => (fields[1] ?? '').startsWith('{"type":"turn.reopened"'));
}

/** After the end of a turn there are notices of its last jobs, and little else. */
const LATER = 1000;

export function notFound(turnId: TurnId): SkillyardError {
  const message = `There is no turn "${turnId}". It was never submitted, or it ended so long ago that it was forgotten.`;
  return new SkillyardError('TURN_NOT_FOUND', message, { details: { turnId } });
}
