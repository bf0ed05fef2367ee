import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GoodAnswer, ModelAnswer, ModelProtocol, ModelRequest } from './model-answer.ts';
import { protocolOf, readModelRequest } from './read-request.ts';
import { renderAnswer } from './render-answer.ts';
import { sampleOf } from './sample-of.ts';

/** What a test scripts: a list taken in order, whose last entry repeats, or a function of the request. */
export type ModelScript = readonly ModelAnswer[] | ((request: ModelRequest, count: number) => ModelAnswer);

/** A model endpoint that answers from a script, over real HTTP. */
export interface ModelServer {
  /** Base address of the OpenAI protocols and of Anthropic's: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Every request so far. */
  readonly requests: readonly ModelRequest[];
  /** Replaces the script; the count starts anew. */
  answer(...answers: ModelAnswer[]): void;
  answerBy(script: ModelScript): void;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly script?: ModelScript;
  /** Requests without this key get a 401. */
  readonly key?: string;
}

/**
 * Starts a model endpoint.
 * Without a script it echoes: a value that fits the schema when one is asked for, else the last message of the user.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let script: ModelScript = options.script ?? [];
  let count = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const protocol = protocolOf(request.url);
    if (protocol === undefined)
      return send(response, 404, errorBody('chat', `no such path: ${request.url ?? ''}`));
    const received = await readModelRequest(request, protocol);
    requests.push(received);
    const answer = keyFits(received, options.key)
      ? pick(script, received, count++)
      : ({ failure: 'unauthorized' } as const);
    if ('failure' in answer) return fail(response, protocol, answer);
    if (answer.delayMs !== undefined) await sleepWhileOpen(response, answer.delayMs);
    send(response, 200, renderAnswer(protocol, answer, requests.length));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => send(response, 400, errorBody('chat', String(error))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: (...answers) => {
      script = answers;
      count = 0;
    },
    answerBy: (next) => {
      script = next;
      count = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pick(script: ModelScript, request: ModelRequest, count: number): ModelAnswer {
  if (typeof script === 'function') return script(request, count);
  return script[Math.min(count, script.length - 1)] ?? echo(request);
}

function echo(request: ModelRequest): GoodAnswer {
  if (request.schema !== undefined) return { text: JSON.stringify(sampleOf(request.schema)) };
  return { text: request.prompt };
}

function keyFits(request: ModelRequest, key: string | undefined): boolean {
  if (key === undefined) return true;
  return request.headers['authorization'] === `Bearer ${key}` || request.headers['x-api-key'] === key;
}

const HTML = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

function fail(
  response: ServerResponse,
  protocol: ModelProtocol,
  answer: Extract<ModelAnswer, { failure: unknown }>,
): void {
  switch (answer.failure) {
    case 'unauthorized':
      return send(response, 401, errorBody(protocol, 'Incorrect API key provided.'));
    case 'rate-limited':
      response.setHeader('retry-after', answer.retryAfter ?? '3');
      return send(response, 429, errorBody(protocol, 'Rate limit reached.'));
    case 'error':
      return send(response, 500, errorBody(protocol, 'The server had an error.'));
    case 'status':
      return send(response, answer.status, errorBody(protocol, answer.message));
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(HTML);
      return;
    case 'cut-off': {
      const body = JSON.stringify(renderAnswer(protocol, { text: 'an answer that ends too early' }, 0));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(body.slice(0, body.length / 2));
      return;
    }
    case 'hang-up':
      response.socket?.destroy();
      return;
    case 'never':
      return;
  }
}

function errorBody(protocol: ModelProtocol, message: string): object {
  if (protocol === 'messages') return { type: 'error', error: { type: 'api_error', message } };
  return { error: { message, type: 'double_error', param: null, code: null } };
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function sleepWhileOpen(response: ServerResponse, delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
