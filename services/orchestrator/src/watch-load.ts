import { type Config, workerClasses } from '@skillyard/contracts';
import { QueueControl, type QueueConnection, type TurnStore } from '@skillyard/queue';
import type { Telemetry } from '@skillyard/telemetry';

/** Has the metrics say how much there is to do: read when somebody wants to know, in one round trip. */
export function watchLoad(
  telemetry: Telemetry | undefined,
  parts: {
    readonly config: Config;
    readonly connection: QueueConnection;
    readonly store: TurnStore;
    /** The shards whose turns are ours now. */
    readonly shards: () => readonly number[];
  },
): void {
  const { config, connection, store, shards } = parts;
  const queues = new QueueControl(connection);
  const classes = workerClasses(config);
  telemetry?.watchLoad(async () => {
    const [states, activeTurns] = await Promise.all([queues.list(classes), store.countLive(shards())]);
    return { queues: states, activeTurns };
  });
}
