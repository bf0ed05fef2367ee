import type { FastifyInstance } from 'fastify';
import { docsPage, DOCS_STYLE } from './docs-page.ts';
import { openApiDocument } from './openapi.ts';

/** Serves the OpenAPI document, and a page that shows it. Both are public: they say nothing of an installation. */
export function addDocs(server: FastifyInstance, publicUrl: string | undefined): void {
  const document = openApiDocument(publicUrl);
  const page = docsPage(document);
  server.get('/v1/openapi.json', async () => document);
  server.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  server.get('/docs/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(DOCS_STYLE),
  );
}
