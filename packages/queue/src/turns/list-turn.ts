import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { OPEN_TURN } from '../scripts/index-script.ts';
import type { TurnPlace } from './turn-cursor.ts';

/** A tenant that this process named in the last minute is not named again: every turn would pay for it. */
const NAMED_FOR_MS = 60_000;
/** When the tenants were named last over a connection. */
const namedAtMs = new WeakMap<QueueConnection, Map<string, number>>();

/**
 * Enters a turn into the list of its tenant (X1).
 * @returns whether it was not there
 */
export async function enterTurn(
  connection: QueueConnection,
  tenant: string,
  { turnId, submittedAtMs }: TurnPlace,
): Promise<boolean> {
  const { redis, keys } = connection;
  const { turns, ended } = keys.turnsOf(tenant);
  const [added] = await Promise.all([
    redis.zadd(turns, 'NX', submittedAtMs, turnId),
    // The lists of a tenant whose turns have all ended were to be forgotten.
    redis.persist(turns),
    redis.persist(ended),
    nameTenant(connection, tenant, Date.now()),
  ]);
  return added === 1;
}

async function nameTenant(connection: QueueConnection, tenant: string, nowMs: number): Promise<void> {
  const named = namedAtMs.get(connection) ?? new Map<string, number>();
  namedAtMs.set(connection, named);
  if (nowMs - (named.get(tenant) ?? -Infinity) < NAMED_FOR_MS) return;
  await connection.redis.sadd(connection.keys.tenants, tenant);
  named.set(tenant, nowMs);
}

/**
 * Enters a turn as one that has not ended, though the list may say so: it was reopened, or an ended one of its id was
 * forgotten. May be repeated.
 */
export async function reenterTurn(
  { redis, keys }: QueueConnection,
  tenant: string,
  { turnId, submittedAtMs }: TurnPlace,
): Promise<void> {
  const { turns, ended } = keys.turnsOf(tenant);
  await OPEN_TURN.run(redis, { keys: [turns, ended], args: [turnId, submittedAtMs] });
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
