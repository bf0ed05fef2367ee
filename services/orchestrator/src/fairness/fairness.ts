import { type Config, workerClasses } from '@skillyard/contracts';
import { type QueueConnection, queueOfClass } from '@skillyard/queue';
import type { Logger } from '../logger.ts';
import { UNKNOWN_ROOM } from './room.ts';
import type { TenantLimits } from './tenant-limits.ts';
import { Windows } from './windows.ts';
import { WindowWatch } from './window-watch.ts';

export interface FairnessParts {
  readonly config: Config;
  readonly connection: QueueConnection;
  readonly limits: TenantLimits;
  /** The name of this orchestrator. */
  readonly owner: string;
  /** Puts into their queues what the windows let go. */
  readonly release: () => Promise<void>;
  readonly log: Logger;
}

/** The windows of an orchestrator, and what keeps them as wide as they should be. */
export interface Fairness {
  readonly windows: Windows;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Without an API and without limits there is one tenant only: nothing is held back, and nobody is watched.
 */
export function openFairness({ config, limits, ...parts }: FairnessParts): Fairness {
  const limitsOf = limits.of.bind(limits);
  if (config.http === undefined && config.tenants === undefined) {
    const nothing = (): Promise<void> => Promise.resolve();
    return { windows: new Windows(Infinity, limitsOf), start: nothing, close: nothing };
  }
  const windows = new Windows(UNKNOWN_ROOM, limitsOf);
  const watch = new WindowWatch({
    ...parts,
    windows,
    queues: workerClasses(config).map(queueOfClass),
    weightOf: (tenant) => limitsOf(tenant).weight ?? 1,
    onError: ({ message }) => parts.log.warn({ reason: message }, 'windows of the queues'),
  });
  return { windows, start: () => watch.start(), close: () => watch.close() };
}
