import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SkillyardError } from '@skillyard/contracts';

/** Where Prometheus and whoever watches the process come to. */
export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, and `/healthz`, which answers as long as the process does anything at all.
 * @throws SkillyardError CONFIG_INVALID when there cannot be a server at this place
 */
export async function startMetricsServer(
  place: { readonly host: string; readonly port: number },
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === '/metrics') respond(request, response);
    else if (isRead && path === '/healthz') answer(response, 200, 'ok\n');
    else answer(response, 404, 'Here are /metrics and /healthz.\n');
  });
  server.listen(place.port, place.host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw refused(place, cause);
  }
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function refused({ host, port }: { host: string; port: number }, cause: unknown): SkillyardError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
  const message = `telemetry.metrics_port: metrics cannot be served at ${host}:${port}: ${reason}. Choose another one; 0 takes a free one.`;
  return new SkillyardError('CONFIG_INVALID', message, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use, perhaps by another process of this configuration',
  EACCES: 'this user may not open it',
  EADDRNOTAVAIL: 'this machine does not have that address',
};
