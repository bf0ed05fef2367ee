import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { StoredTurn } from './stored-turn.ts';
import type { TurnPlace } from './turn-cursor.ts';

/** A tenant that this process named in the last minute is not named again: every turn would pay for it. */
const NAMED_FOR_MS = 60_000;
/** When the tenants were named last over a connection. */
const namedAtMs = new WeakMap<QueueConnection, Map<string, number>>();

/** Enters a turn into the list of its tenant (X1). */
export async function enterTurn(
  connection: QueueConnection,
  tenant: string,
  { turnId, submittedAtMs }: TurnPlace,
): Promise<void> {
  const { redis, keys } = connection;
  await Promise.all([
    redis.zadd(keys.turnsOf(tenant).turns, 'NX', submittedAtMs, turnId),
    nameTenant(connection, tenant, Date.now()),
  ]);
}

async function nameTenant(connection: QueueConnection, tenant: string, nowMs: number): Promise<void> {
  const named = namedAtMs.get(connection) ?? new Map<string, number>();
  namedAtMs.set(connection, named);
  if (nowMs - (named.get(tenant) ?? -Infinity) < NAMED_FOR_MS) return;
  await connection.redis.sadd(connection.keys.tenants, tenant);
  named.set(tenant, nowMs);
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

/** Forgets turns that never came (X1). Whose they would have been is not known. */
export async function forgetUnknown(
  { redis, keys }: QueueConnection,
  turnIds: readonly TurnId[],
): Promise<void> {
  const tenants = await redis.smembers(keys.tenants);
  await Promise.all(
    tenants.map(async (tenant) => {
      const { turns, ended } = keys.turnsOf(tenant);
      await Promise.all([redis.zrem(turns, ...turnIds), redis.zrem(ended, ...turnIds)]);
    }),
  );
}
