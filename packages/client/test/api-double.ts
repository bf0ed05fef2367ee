import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came in, with its body. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse, seen: Seen) => void;

/** A server that misbehaves as it is told, one answer after another. */
export interface ApiDouble {
  readonly url: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/** @param answers one for each request in turn; the last one for all further */
export async function startApi(...answers: Answer[]): Promise<ApiDouble> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push(one);
      answer?.(response, one);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(value: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

export function problem(
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): Answer {
  return (response) => {
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ type: '', title: '', status, code, detail, instance: 'r1' }));
  };
}

/** Breaks the connection without an answer. */
export const hangUp: Answer = (response) => {
  response.destroy();
};
