import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { SkillyardError } from '@skillyard/contracts';
import { problemOf } from './problem.ts';

/** A comment is sent when nothing else was for so long, so that nobody between takes the connection for dead. */
const HEARTBEAT_MS = 15_000;
/** After which a client that lost the stream should ask for it again. */
const RETRY_MS = 1000;
/** A client that takes nothing for so long has its stream closed. It can go on from where it was. */
const STALLED_MS = 60_000;

export interface StreamOptions {
  readonly headers: OutgoingHttpHeaders;
  readonly requestId: string;
  /** Aborted when the client has gone, or the server stops; by us when the client may no longer stay. */
  readonly gone: AbortController;
  readonly heartbeatMs?: number | undefined;
  /** Asked with every heartbeat whether the client may stay. What it throws ends the stream. */
  mayStay(): Promise<void>;
  /** Told of what ended the stream before its time. */
  onError(error: unknown): void;
}

/**
 * Sends messages as server-sent events, no faster than the client takes them, and ends when there are no more.
 * What goes wrong on the way is the last event, named `problem`: the status was sent long ago.
 */
export async function sendStream(
  response: ServerResponse,
  messages: AsyncIterable<{ readonly id: string; readonly data: unknown }>,
  options: StreamOptions,
): Promise<void> {
  const { gone, requestId, heartbeatMs = HEARTBEAT_MS } = options;
  const { signal } = gone;
  response.writeHead(200, {
    ...options.headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // It ends when the server stops, and should not keep it from that.
    connection: 'close',
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
    options.mayStay().catch((error: unknown) => gone.abort(error));
  }, heartbeatMs);
  try {
    for await (const { id, data } of messages) {
      if (signal.aborted) break;
      const isTaken = response.write(`id: ${id}\nevent: trace\ndata: ${JSON.stringify(data)}\n\n`);
      if (!isTaken) await drained(response, signal);
    }
    if (SkillyardError.is(signal.reason)) throw signal.reason;
  } catch (error) {
    options.onError(error);
    const { problem } = problemOf(error, requestId);
    response.write(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** Waits until the client has taken what was sent, or has gone. */
function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), STALLED_MS);
    const done = (): void => {
      clearTimeout(stalled);
      response.off('drain', done);
      response.off('close', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
