import type { OutgoingHttpHeaders } from 'node:http';
import { API_ROUTES, type ApiOperation, SkillyardError } from '@skillyard/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logger.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Gate, Headers } from './gate.ts';
import type { ApiRequest, Handlers, NamedRoute, StreamMessage } from './handler.ts';
import { queryValues } from './query-values.ts';
import { sendStream } from './stream.ts';
import type { StreamSlots } from './stream-slots.ts';
import { visitOf } from './visit.ts';

/** A request that is not answered by then is given up: its caller should not wait for what may never come. */
const ANSWER_MS = 30_000;

export interface OperationParts {
  readonly handlers: Handlers;
  readonly gate: Gate;
  readonly audit: AuditTrail;
  readonly slots: StreamSlots;
  readonly log: Logger;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Between two signs of life of an event stream. */
  readonly streamHeartbeatMs?: number | undefined;
}

/** Every operation, with its name. */
export const NAMED_ROUTES: readonly NamedRoute[] = Object.entries(API_ROUTES).map(([operation, route]) => ({
  ...route,
  operation: operation as ApiOperation,
}));

/** Makes the server answer every operation of the table. */
export function addOperations(server: FastifyInstance, parts: OperationParts): void {
  for (const route of NAMED_ROUTES) addOperation(server, route, parts);
}

/** A handler of some operation: what fits together is known from the table, not from the types. */
type AnyHandler = (request: ApiRequest<ApiOperation>) => Promise<unknown>;

function addOperation(server: FastifyInstance, route: NamedRoute, parts: OperationParts): void {
  const { gate, audit, handlers } = parts;
  const { method, path, params, query, body, reply: answer } = route;
  const handle = handlers[route.operation] as unknown as AnyHandler;
  server.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: method === 'GET' && answer.stream !== true,
    schema: {
      ...(params !== undefined && { params }),
      querystring: query ?? NOTHING,
      ...(body !== undefined && { body }),
    },
    onRequest: async (request) => {
      const visit = visitOf(request);
      visit.caller = await gate.identify(request.headers as Headers);
      await gate.admit(visit.caller, route);
    },
    preValidation: async (request) => {
      request.query = queryValues(query ?? NOTHING, request.query as Record<string, unknown>);
      // A body of which nothing is required need not be there.
      if (body !== undefined && request.body === undefined) request.body = {};
    },
    onSend: async (request, reply, payload) => {
      const { caller, result } = visitOf(request);
      if (route.audited === true && caller !== null && reply.statusCode !== 429)
        await audit.note(route, {
          caller,
          params: request.params as Record<string, string>,
          result,
          status: reply.statusCode,
        });
      return payload;
    },
    handler: async (request, reply) => {
      const gone = goneWith(reply, parts.stopping);
      const apiRequest = apiRequestOf(request, gone.signal);
      if (answer.stream === true) {
        const mayStay = (): Promise<void> => gate.mayStay(request.headers as Headers, route);
        const messages = (): Promise<unknown> => handle(apiRequest);
        await stream(reply, { request: apiRequest, messages, gone, mayStay }, parts);
        return reply;
      }
      const result = await beforeItIsTooLate(handle(apiRequest));
      visitOf(request).result = result;
      reply.code(answer.status);
      return answer.schema === null ? null : result;
    },
  });
}

/** The query of an operation that has none. */
const NOTHING = { type: 'object', properties: {}, additionalProperties: false } as const;

function apiRequestOf(request: FastifyRequest, signal: AbortSignal): ApiRequest<ApiOperation> {
  const { caller } = visitOf(request);
  if (caller === null) throw new Error('a request came past the gate');
  const header = (name: string): string | null => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    caller,
    params: request.params,
    query: request.query,
    body: request.body,
    requestId: request.id,
    idempotencyKey: header('idempotency-key'),
    lastEventId: header('last-event-id'),
    traceparent: header('traceparent'),
    signal,
  } as ApiRequest<ApiOperation>;
}

/** A stream that is asked for. */
interface AskedStream {
  readonly request: ApiRequest<ApiOperation>;
  readonly messages: () => Promise<unknown>;
  readonly gone: AbortController;
  /** @see StreamOptions.mayStay */
  readonly mayStay: () => Promise<void>;
}

async function stream(
  reply: FastifyReply,
  asked: AskedStream,
  { slots, log, streamHeartbeatMs: heartbeatMs }: OperationParts,
): Promise<void> {
  const { request, gone, mayStay } = asked;
  const { requestId } = request;
  const release = slots.take(request.caller.tenant);
  try {
    const messages = (await beforeItIsTooLate(asked.messages())) as AsyncIterable<StreamMessage<'watchTurn'>>;
    reply.hijack();
    await sendStream(reply.raw, messages, {
      headers: reply.getHeaders() as OutgoingHttpHeaders,
      requestId,
      gone,
      heartbeatMs,
      mayStay,
      onError: (error) => log.warn({ err: error, requestId }, 'an event stream broke off'),
    });
  } finally {
    release();
  }
}

/** Aborted when nobody waits for the reply any longer. */
function goneWith(reply: FastifyReply, stopping: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  stopping.addEventListener('abort', abort, { once: true });
  if (stopping.aborted) abort();
  reply.raw.once('close', () => {
    stopping.removeEventListener('abort', abort);
    abort();
  });
  return controller;
}

async function beforeItIsTooLate<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `the answer took longer than ${ANSWER_MS / 1000} s; what was asked for may be done all the same`;
      reject(new SkillyardError('API_UNAVAILABLE', message));
    }, ANSWER_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
