import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The built console. */
export interface Site {
  /** Absolute; null when it is not built. */
  readonly folder: string | null;
}

/** Where the built console is. */
export function findSite(): Site {
  const index = fileURLToPath(import.meta.resolve('@skillyard/console/index.html'));
  return { folder: existsSync(index) ? dirname(index) : null };
}

const NOT_BUILT =
  'The console is not built. Build it with `npm run build`, or turn it off: http.console: false.\n';

/** Files of the site that hold the hash of their content in their names. */
const HASHED = '/assets/';

/**
 * Serves the console: its files, and its page for every address that nothing else answers, since the page finds its
 * way by itself.
 * @param refuse answers what is not there
 */
export async function addSite(
  server: FastifyInstance,
  site: Site | null,
  refuse: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): Promise<void> {
  if (site === null) {
    server.setNotFoundHandler(refuse);
    return;
  }
  const { folder } = site;
  if (folder !== null) {
    await server.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false,
      setHeaders: (response, path) => {
        const caching = path.includes(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';
        response.header('cache-control', caching);
      },
    });
    // A folder without an index is refused.
    server.get('/', (_request, reply) => reply.sendFile('index.html'));
  }
  server.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) return refuse(request, reply);
    if (folder === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return reply.sendFile('index.html');
  });
}

/** Addresses that belong to somebody else, whatever is there. */
const NOT_THE_SITE = /^\/(v1|docs|healthz|readyz|assets)(\/|\?|$)/;

function isPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !NOT_THE_SITE.test(url);
}
