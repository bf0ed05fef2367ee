import { connect } from '@skillyard/queue';
import { compose, type Composition } from './composition.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';

export interface RunningOrchestrator {
  /** The shards whose turns it runs now. */
  readonly shards: readonly number[];
  /** Takes nothing more, finishes what is under way, leaves the rest to the next one. */
  close(): Promise<void>;
}

/**
 * Starts an orchestrator: goes on with every turn that is under way, then takes new ones.
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function runOrchestrator(options: OrchestratorOptions): Promise<RunningOrchestrator> {
  const { config, log } = options;
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: options.redisUrl,
    ...(prefix !== undefined && { prefix }),
    onError: (error) => log.warn({ reason: error.message }, 'connection to Redis'),
  });
  for (const warning of connection.warnings) log.warn(warning);
  let composition: Composition | undefined;
  try {
    composition = await compose(options, connection);
    await composition.start();
  } catch (error) {
    await composition?.stop();
    await connection.close();
    throw error;
  }
  const running = composition;
  return {
    get shards() {
      return running.shards;
    },
    close: async () => {
      await running.stop();
      await connection.close();
    },
  };
}
