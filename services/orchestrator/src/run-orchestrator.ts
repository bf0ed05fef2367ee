import { connect } from '@skillyard/queue';
import { startTelemetry, type Telemetry } from '@skillyard/telemetry';
import { compose, type Composition } from './composition.ts';
import { startHttpApi } from './http/http-api.ts';
import type { HttpServer } from './http/server.ts';
import { type Installation, openInstallation } from './installation.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';

export interface RunningOrchestrator {
  /** The shards whose turns it runs now. */
  readonly shards: readonly number[];
  /** Where its HTTP API is; null when it has none. */
  readonly http: string | null;
  /** Takes nothing more, finishes what is under way, leaves the rest to the next one. */
  close(): Promise<void>;
}

/**
 * Starts an orchestrator: goes on with every turn that is under way, then takes new ones.
 * @throws SkillyardError REDIS_UNAVAILABLE, REDIS_UNSUITABLE, CONFIG_INVALID, or API_UNAVAILABLE if it cannot listen
 */
export async function runOrchestrator(options: OrchestratorOptions): Promise<RunningOrchestrator> {
  const { config, env, log } = options;
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: options.redisUrl,
    ...(prefix !== undefined && { prefix }),
    onError: (error) => log.warn({ reason: error.message }, 'connection to Redis'),
  });
  for (const warning of connection.warnings) log.warn(warning);
  let own: Telemetry | undefined;
  let installation: Installation | undefined;
  let composition: Composition | undefined;
  let api: HttpServer | null = null;
  try {
    if (options.telemetry === undefined)
      own = await startTelemetry({ service: 'orchestrator', config, env, log });
    const observed = { ...options, telemetry: options.telemetry ?? own };
    installation = await openInstallation(config);
    composition = await compose(observed, connection, installation);
    // Before it takes turns: one whose port is taken would only have them change hands, each time it is started.
    api = await startHttpApi(observed, installation);
    await composition.start();
  } catch (error) {
    await api?.close();
    await composition?.stop();
    installation?.folders.close();
    await connection.close();
    await own?.close();
    throw error;
  }
  const running = composition;
  const { folders } = installation;
  const listening = api;
  return {
    get shards() {
      return running.shards;
    },
    http: listening?.url ?? null,
    close: async () => {
      // Whoever watches goes on at another orchestrator while this one finishes what is under way.
      await listening?.close();
      await running.stop();
      folders.close();
      await connection.close();
      await own?.close();
    },
  };
}
