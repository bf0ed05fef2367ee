import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerConfig } from '@skillyard/contracts';
import { resolve } from 'node:path';
import { publicAddress } from '../public-address.ts';
import type { Environment } from '../redaction.ts';
import { httpTransport } from './http-transport.ts';
import { missingVariables, serverEnvironment } from './server-environment.ts';
import type { ServerFacts } from './server-failure.ts';
import { StdioTransport } from './stdio-transport.ts';

/** How a server is spoken to: over the streams of its process, or over HTTP. */
export type ServerTransport = StdioTransport | StreamableHTTPClientTransport;

const LONGEST_COMMAND = 100;

/**
 * The transport of a configured server, not yet started.
 * @throws SkillyardError CONFIG_INVALID when its address is none or a variable of its headers is not set
 */
export function openTransport(
  name: string,
  config: ServerConfig,
  { env, baseDir }: { readonly env: Environment; readonly baseDir: string },
): ServerTransport {
  if ('url' in config) return httpTransport(name, config, env);
  return new StdioTransport({
    command: config.command,
    args: config.args ?? [],
    cwd: resolve(baseDir, config.cwd ?? '.'),
    env: serverEnvironment(config, env),
  });
}

/** What a message about a failure may say of a server. */
export function serverFacts(
  name: string,
  config: ServerConfig,
  env: Environment,
  transport: ServerTransport,
): ServerFacts {
  const stdio = transport instanceof StdioTransport ? transport : undefined;
  return {
    name,
    where: 'url' in config ? publicAddress(config.url) : commandLine(config.command, config.args ?? []),
    http: 'url' in config,
    exitReason: stdio?.exitReason,
    garbage: stdio?.garbage,
    lastWords: stdio?.lastWords ?? [],
    missingVariables: 'url' in config ? [] : missingVariables(config.env_from, env),
  };
}

/** Command lines can be long; their beginning tells which program it is. */
function commandLine(command: string, args: readonly string[]): string {
  const text = [command, ...args].join(' ');
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}
