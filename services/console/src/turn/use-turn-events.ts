import type { TraceEvent } from '@skillyard/contracts';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api.ts';

/** Large turns bring thousands of events at once: they are drawn together. */
const DRAW_MS = 150;

/** The events of a turn that came so far. */
export interface TurnEvents {
  readonly events: readonly TraceEvent[];
  /** Why no more of them come. */
  readonly error: Error | null;
}

/**
 * Follows the events of a turn.
 * @param reopened how often the turn has gone on after an end: it is followed again when that changes
 * @param onEnd told when the turn has ended
 */
export function useTurnEvents(turnId: string, reopened: number, onEnd: () => void): TurnEvents {
  const [seen, setSeen] = useState<TurnEvents>({ events: [], error: null });
  const ended = useRef(onEnd);
  const progress = useRef<{ events: TraceEvent[]; after: string | undefined }>({
    events: [],
    after: undefined,
  });
  useEffect(() => {
    ended.current = onEnd;
  }, [onEnd]);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (error: Error | null): void => {
      clearTimeout(timer);
      timer = undefined;
      setSeen({ events: [...progress.current.events], error });
    };
    const follow = async (): Promise<void> => {
      const args = { turnId, after: progress.current.after, signal: stop.signal };
      for await (const { id, event } of api().watchTurn(args)) {
        if (stop.signal.aborted) return;
        progress.current.after = id;
        progress.current.events.push(event);
        timer ??= setTimeout(() => draw(null), DRAW_MS);
      }
      if (stop.signal.aborted) return;
      draw(null);
      ended.current();
    };
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) draw(error instanceof Error ? error : new Error(String(error)));
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [turnId, reopened]);
  return seen;
}
