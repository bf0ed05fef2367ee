import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import helmet from '@fastify/helmet';
import { SkillyardError } from '@skillyard/contracts';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { addDocs } from './docs.ts';
import { addOperations, type OperationParts } from './operation-routes.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';
import { addProbes } from './probes.ts';
import { CONTENT_SECURITY } from './security-headers.ts';
import { addSite, type Site } from './site.ts';

const DEFAULT_BODY_BYTES = 2 * 1024 * 1024;
/** The head of a request has to be there by then, */
const HEADERS_MS = 10_000;
/** and all of it by then. */
const REQUEST_MS = 30_000;
/** A connection on which nothing moves while it is answered is closed: its client takes nothing. Streams give signs of life. */
const STALLED_MS = 60_000;
/** A connection without a request is closed after this: longer than load balancers keep theirs (60 s). */
const KEEP_ALIVE_MS = 65_000;
/** How long requests that are under way are waited for when the server stops. */
const CLOSE_MS = 3000;
/** How often connections are closed meanwhile that have become idle. */
const IDLE_MS = 50;
/** Job ids in addresses are long. */
const PARAM_LENGTH = 600;

export interface ServerParts extends Omit<OperationParts, 'stopping'> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly maxBodyBytes?: number | undefined;
  /** How it is reached from outside, for documents. */
  readonly publicUrl?: string | undefined;
  /** The console; null for none. */
  readonly site: Site | null;
  /** Fails when the orchestrator cannot work. */
  ready(): Promise<void>;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /** Ends the streams, waits for the other requests for a few seconds, and closes every connection. */
  close(): Promise<void>;
}

/** @throws SkillyardError API_UNAVAILABLE if it cannot listen there */
export async function startServer(parts: ServerParts): Promise<HttpServer> {
  const stop = new AbortController();
  // Every request that is under way listens: many at once are no leak.
  setMaxListeners(0, stop.signal);
  const server = await buildServer(parts, stop.signal);
  const { host, port } = parts;
  try {
    await server.listen({ host, port });
  } catch (cause) {
    await server.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the API cannot listen on ${host} port ${port}: ${reason}. Choose another one: http.host and http.port in skillyard.yaml, or --host and --port.`;
    throw new SkillyardError('API_UNAVAILABLE', message, { details: { host, port }, cause });
  }
  return {
    url: urlOf(server.server.address() as AddressInfo),
    close: async () => {
      stop.abort();
      const idle = setInterval(() => server.server.closeIdleConnections(), IDLE_MS);
      const force = setTimeout(() => server.server.closeAllConnections(), CLOSE_MS);
      await server.close();
      clearInterval(idle);
      clearTimeout(force);
    },
  };
}

async function buildServer(parts: ServerParts, stopping: AbortSignal): Promise<FastifyInstance> {
  const server = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: parts.maxBodyBytes ?? DEFAULT_BODY_BYTES,
    requestTimeout: REQUEST_MS,
    connectionTimeout: STALLED_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    http: { headersTimeout: HEADERS_MS },
    routerOptions: { maxParamLength: PARAM_LENGTH },
    // What is sent has the types of its schema: nothing is made fit, and nothing is left out silently.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  });
  // A body of text would be compared with a schema of objects, and the message would be about that.
  server.removeContentTypeParser('text/plain');
  await server.register(helmet, CONTENT_SECURITY);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store');
  });
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, parts));
  addProbes(server, parts);
  addDocs(server, parts.publicUrl);
  addOperations(server, { ...parts, stopping });
  await addSite(server, parts.site, (request, reply) => sendProblem(unknown(request), request, reply, parts));
  return server;
}

function unknown({ method, url }: FastifyRequest): SkillyardError {
  const path = url.split('?')[0]?.slice(0, 200) ?? '';
  const message = `there is nothing at ${method} ${path}; /v1/openapi.json lists what there is`;
  return new SkillyardError('ROUTE_UNKNOWN', message);
}

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log }: Pick<ServerParts, 'log'>,
): FastifyReply {
  const { problem, retryAfterS, isBug } = problemOf(error, request.id);
  const { method, routeOptions } = request;
  const facts = { requestId: request.id, method, route: routeOptions.url, code: problem.code };
  if (isBug) log.error({ err: error, ...facts }, 'a bug in the API');
  else log.debug(facts, 'refused');
  if (retryAfterS !== null) reply.header('retry-after', retryAfterS);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
