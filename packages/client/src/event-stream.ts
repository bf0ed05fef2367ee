import { type Problem, type RouteReply, SkillyardError } from '@skillyard/contracts';
import { pause, pauseMs } from './pause.ts';
import { errorOfProblem } from './problem-error.ts';
import { type SseMessage, SseParser } from './sse-parser.ts';
import type { Transport } from './transport.ts';

/** An event of a turn. The last one, `turn.finished`, has the outcome. */
export type WatchedEvent = RouteReply<'watchTurn'> & {
  /** Where to go on after it. */
  readonly id: string;
};

export interface WatchArgs {
  readonly turnId: string;
  /** Only what came after this event. */
  readonly after?: string | undefined;
  /** Ends the watching, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows a turn to its end, over as many connections as it takes: each goes on after the last event that came.
 * @param hasEnded asks whether the turn has ended
 * @throws SkillyardError as requests do, TURN_NOT_FOUND among them
 */
export async function* followTurn(
  transport: Transport,
  args: WatchArgs,
  hasEnded: () => Promise<boolean>,
): AsyncGenerator<WatchedEvent> {
  const { turnId, signal } = args;
  let after = args.after;
  let isOver = false;
  try {
    // Connections in a row on which nothing was heard, not even that the server lives.
    for (let silent = 0; silent <= transport.retries; silent++) {
      const before = after;
      for await (const event of listen(transport, { turnId, after, signal })) {
        silent = -1;
        if (event === null) continue;
        after = event.id;
        yield event;
        if (event.outcome !== undefined) return;
      }
      // Nothing came after an end that was known before: it has been watched to the end.
      if (isOver && after === before) return;
      await pause(pauseMs(Math.max(1, silent + 1), null), signal);
      isOver = await hasEnded();
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    return;
  }
  throw new SkillyardError('API_UNAVAILABLE', `the events of turn ${turnId} break off again and again`);
}

/** The events of one connection, and null for any sign of life, until it ends, breaks or is silent for too long. */
async function* listen(
  transport: Transport,
  { turnId, after, signal }: WatchArgs,
): AsyncGenerator<WatchedEvent | null> {
  const { response, silence } = await transport.open('watchTurn', { turnId, signal }, after);
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const parser = new SseParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const chunk = await reader?.read().catch(() => undefined);
      // Ended or broken: what is missing comes with the next connection.
      if (chunk?.value === undefined) return;
      silence.broken();
      yield null;
      for (const message of parser.push(decoder.decode(chunk.value, { stream: true }))) {
        const event = readEvent(message);
        if (event === null) return;
        yield event;
      }
    }
  } finally {
    silence.end();
    // Of a connection that broke there is nothing to cancel, which is not worth a word.
    await reader?.cancel().catch(() => undefined);
  }
}

/**
 * @returns null when the server ends the stream because the world is in its way: the next connection says more
 * @throws SkillyardError when it ends it for another reason
 */
function readEvent({ id, event, data }: SseMessage): WatchedEvent | null {
  if (event !== 'problem') return { id, ...(readData(data) as RouteReply<'watchTurn'>) };
  const error = errorOfProblem(readData(data) as Problem);
  // A token that expired meanwhile is not the end: the next connection has a new one, or is refused.
  if (error.kind !== 'retryable' && error.code !== 'UNAUTHENTICATED') throw error;
  return null;
}

function readData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    const message = `the API streamed something that is not JSON: ${data.slice(0, 100)}`;
    throw new SkillyardError('API_UNAVAILABLE', message, { cause: error });
  }
}
