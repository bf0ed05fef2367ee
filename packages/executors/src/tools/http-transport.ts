import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillyardError } from '@skillyard/contracts';
import type { Environment } from '../redaction.ts';

export interface HttpServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly headers_env?: Readonly<Record<string, string>>;
}

/**
 * MCP over streamable HTTP, with the headers of the configuration on every request.
 * @throws SkillyardError CONFIG_INVALID when the address is none or a variable of `headers_env` is not set
 */
export function httpTransport(
  name: string,
  server: HttpServer,
  env: Environment,
): StreamableHTTPClientTransport {
  if (!URL.canParse(server.url)) {
    throw new SkillyardError(
      'CONFIG_INVALID',
      `servers.${name}.url is no address: "${server.url}". Write http://host:port/path.`,
    );
  }
  const headers: Record<string, string> = { ...server.headers };
  for (const [header, variable] of Object.entries(server.headers_env ?? {})) {
    const value = env[variable];
    if (value === undefined || value === '') {
      throw new SkillyardError(
        'CONFIG_INVALID',
        `The environment variable ${variable} is not set; servers.${name}.headers_env takes the header ${header} from it. Set it and start again.`,
      );
    }
    headers[header] = value;
  }
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}
