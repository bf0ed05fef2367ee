import { LuaScript } from '../scripts/lua-script.ts';

/**
 * Takes the lease of a shard, if nobody has it. The epoch grows with every tenure (L2), also with one that follows a
 * tenure of the same owner: an owner that lost its lease and finds it unexpired has forgotten what it knew.
 *
 * KEYS 1 lease  2 epoch
 * ARGV 1 owner  2 length of the lease in ms
 * Returns {epoch, 0}, or {0, ms until the lease of somebody else ends}.
 */
export const TAKE = new LuaScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {0, redis.call('PTTL', KEYS[1])} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {redis.call('INCR', KEYS[2]), 0}
`);

/**
 * Lengthens a lease, if it is still ours.
 *
 * KEYS 1 lease
 * ARGV 1 owner  2 length of the lease in ms
 * Returns 1, or 0 when it is lost.
 */
export const RENEW = new LuaScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/**
 * Ends a lease, if it is still ours. The epoch stays.
 *
 * KEYS 1 lease
 * ARGV 1 owner
 */
export const RELEASE_LEASE = new LuaScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

/**
 * Notes that an orchestrator lives, and forgets those that did not say so in time. Redis's clock decides: those of the
 * machines may differ.
 *
 * KEYS 1 orchestrators
 * ARGV 1 name  2 ms until it counts as dead
 * Returns {ms until the first of the others counts as dead, or -1; is it new?; names in order...}.
 */
export const SIGN_IN = new LuaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local added = redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
local entries = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local names, first = {}, -1
for index = 1, #entries, 2 do
  names[#names + 1] = entries[index]
  local left = tonumber(entries[index + 1]) - now
  if entries[index] ~= ARGV[1] and (first < 0 or left < first) then first = left end
end
table.sort(names)
return {first, added, unpack(names)}
`);
