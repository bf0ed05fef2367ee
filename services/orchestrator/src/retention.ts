import { type HistoryConfig, parseDurationMs } from '@skillyard/contracts';
import type { TurnStoreOptions } from '@skillyard/queue';

/** Whoever waits for the end of a turn has to have the time to read it. */
const LEAST_SECONDS = 60;

/** How long ended turns are kept, if the configuration says so. */
export function retentionOf({ retention }: HistoryConfig = {}): Pick<TurnStoreOptions, 'retentionSeconds'> {
  const ms = retention === undefined ? undefined : parseDurationMs(retention);
  return ms === undefined ? {} : { retentionSeconds: Math.max(LEAST_SECONDS, Math.ceil(ms / 1000)) };
}
