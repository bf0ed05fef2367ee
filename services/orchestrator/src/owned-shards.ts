import type { TurnId } from '@skillyard/contracts';
import { type QueueConnection, type ResultsConsumer, ShardLeases } from '@skillyard/queue';
import type { TurnCache } from './live-turn.ts';
import type { Windows } from './fairness/windows.ts';
import type { Logger } from './logger.ts';
import type { Orchestrator } from './orchestrator.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import type { Sweeper } from './sweep.ts';

/** What takes up a shard and puts it down. */
interface Users {
  readonly consumer: Pick<ResultsConsumer, 'add' | 'remove'>;
  readonly sweeper: Pick<Sweeper, 'add' | 'remove'>;
  readonly orchestrator: Pick<Orchestrator, 'passed'>;
  readonly cache: Pick<TurnCache, 'dropIf'>;
  readonly windows: Pick<Windows, 'forgetIf'>;
}

/** The shards whose turns this process runs, and what is done when one comes or goes. */
export class OwnedShards {
  readonly leases: ShardLeases;
  readonly #connection: QueueConnection;

  /** @param users known when the first shard comes, and not before: they ask in turn whose a shard is */
  constructor(
    connection: QueueConnection,
    options: Pick<OrchestratorOptions, 'log' | 'leases'>,
    users: () => Users,
  ) {
    const { log, leases: times } = options;
    this.#connection = connection;
    this.leases = new ShardLeases({
      connection,
      ...(times && { times }),
      onGained: (shard, epoch) => {
        log.debug({ shard, epoch }, 'shard gained');
        users().consumer.add(shard);
        users().sweeper.add(shard);
      },
      onLost: (shard, how) => this.#putDown(shard, how, users(), log),
      onError: (error) => log.warn({ reason: error.message }, 'leases of shards'),
    });
  }

  /** The fencing token under which a turn may be written; null when its shard is not ours. */
  epochOfTurn(turnId: TurnId): number | null {
    return this.leases.epochOf(this.#connection.keys.shardOf(turnId));
  }

  async #putDown(shard: number, how: 'given up' | 'lost', users: Users, log: Logger): Promise<void> {
    if (how === 'lost') log.warn({ shard }, 'shard lost: its lease was not renewed in time');
    else log.debug({ shard }, 'shard given up');
    const { consumer, sweeper, orchestrator, cache, windows } = users;
    const epoch = this.leases.epochOf(shard);
    const isOfShard = (turnId: TurnId): boolean => this.#connection.keys.shardOf(turnId) === shard;
    consumer.remove(shard);
    sweeper.remove(shard);
    windows.forgetIf(isOfShard);
    await orchestrator.passed();
    // What the batch under way committed is in memory again: it is dropped after that.
    cache.dropIf(isOfShard);
    // If the shard was gained again meanwhile, the sweep has asked for its jobs, and would not soon ask again.
    if (this.leases.epochOf(shard) === epoch) windows.forgetIf(isOfShard);
  }
}
