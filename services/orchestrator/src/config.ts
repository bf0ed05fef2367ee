import { parseArgs } from 'node:util';
import { type Config, SkillyardError } from '@skillyard/contracts';
import { type LoadedConfig, loadConfig, redisUrl } from '@skillyard/runtime';

/** What this process was started with. */
export interface ProcessConfig {
  readonly loaded: LoadedConfig;
  readonly redisUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logLevel: string | undefined;
}

/**
 * Reads the command line and the environment.
 *
 *   --config <file>   the configuration; else SKILLYARD_CONFIG, else skillyard.yaml in the working directory
 *   --redis <url>     else what the configuration says, else REDIS_URL
 *   --port <number>   where the API listens, in place of http.port; 0 takes a free one
 *   --host <name>     in place of http.host
 *   --metrics-port <number>  in place of telemetry.metrics_port
 *
 * LOG_LEVEL sets the level of the log.
 * @throws SkillyardError INPUT_INVALID, CONFIG_INVALID or FILE_UNREADABLE
 */
export async function readProcessConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<ProcessConfig> {
  const { config: file, redis, 'metrics-port': metricsPort, ...place } = parse(args);
  const found = await loadConfig({ file, cwd, env });
  const config = withPlaces(found.config, { ...place, metricsPort });
  const loaded = { ...found, config };
  return { loaded, redisUrl: redisUrl(config, env, redis), env, logLevel: env['LOG_LEVEL'] };
}

/** Where a process listens, as its command line says it. */
export interface PlaceOptions {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly metricsPort?: string | undefined;
}

/**
 * Puts the places of a command line over those of the configuration.
 * @throws SkillyardError INPUT_INVALID
 */
export function withPlaces(config: Config, { port, host, metricsPort }: PlaceOptions): Config {
  const http = {
    ...config.http,
    ...(port !== undefined && { port: readPort('--port', port) }),
    ...(host !== undefined && { host }),
  };
  const telemetry = {
    ...config.telemetry,
    ...(metricsPort !== undefined && { metrics_port: readPort('--metrics-port', metricsPort) }),
  };
  return { ...config, ...(Object.keys(http).length > 0 && { http }), telemetry };
}

const OPTIONS = {
  config: { type: 'string' },
  redis: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  'metrics-port': { type: 'string' },
} as const;

function parse(args: readonly string[]): { [O in keyof typeof OPTIONS]?: string | undefined } {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const known =
      'Known are --config <file>, --redis <url>, --port <number>, --host <name> and --metrics-port <number>.';
    throw new SkillyardError('INPUT_INVALID', `${reason}. ${known}`, { cause: error });
  }
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SkillyardError('INPUT_INVALID', `${option} "${text}" is no port; give a number from 0 to 65535`);
}
