import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { NOTE_END } from '../scripts/index-script.ts';
import type { StoredTurn } from './stored-turn.ts';
import type { TurnPlace } from './turn-cursor.ts';

/** Turns that are forgotten with one that ends: more than one, so that a heap of them melts. */
const FORGOTTEN_TOGETHER = 100;

/** Enters a turn into the list of its tenant (X1). */
export async function enterTurn(
  { redis, keys }: QueueConnection,
  tenant: string,
  { turnId, submittedAtMs }: TurnPlace,
): Promise<void> {
  await Promise.all([
    redis.zadd(keys.turnsOf(tenant).turns, 'NX', submittedAtMs, turnId),
    redis.sadd(keys.tenants, tenant),
  ]);
}

/** Makes a listed turn open again that had ended. May be repeated. */
export async function reenterTurn(
  connection: QueueConnection,
  { view, lineage }: Pick<StoredTurn, 'view' | 'lineage'>,
): Promise<void> {
  if (lineage.parent !== null) return;
  const { redis, keys } = connection;
  const { tenant } = view.origin;
  await Promise.all([
    enterTurn(connection, tenant, view),
    redis.zrem(keys.turnsOf(tenant).ended, view.turnId),
  ]);
}

/** Notes the end of a turn (X2), and forgets some of those that ended longer ago than they are kept. May be repeated. */
export async function noteEnd(
  { redis, keys }: QueueConnection,
  tenant: string,
  turn: { readonly turnId: TurnId; readonly endedAtMs: number; readonly keptMs: number },
): Promise<void> {
  const { turns, ended } = keys.turnsOf(tenant);
  const { turnId, endedAtMs, keptMs } = turn;
  await NOTE_END.run(redis, {
    keys: [turns, ended],
    args: [turnId, endedAtMs, endedAtMs - keptMs, FORGOTTEN_TOGETHER],
  });
}
