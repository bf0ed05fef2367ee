import { LuaScript } from './lua-script.ts';

/**
 * Keeps a value beside a turn while the turn runs: what a late worker writes for an ended turn would never expire.
 *
 * KEYS 1 meta  2 the hash
 * ARGV 1 field  2 value
 */
export const KEEP = new LuaScript(`
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
`);

/**
 * Keeps a round of a journal and what was decided in it, while the turn runs. What was kept first holds.
 *
 * KEYS 1 meta  2 the hash
 * ARGV 1 field of the round  2 the round  3 field of the last decision  4 the decision
 * Returns the last decision when the round was kept before
 */
export const KEEP_ROUND = new LuaScript(`
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return false end
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2]) == 0 then return redis.call('HGET', KEYS[2], ARGV[3]) end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
return false
`);

/**
 * Keeps a value in the working memory of a turn that runs, unless its values would be more than they may be. The count is
 * a field beside them, so that it lives exactly as long as they do; a value that is replaced is counted once.
 *
 * KEYS 1 meta  2 the hash
 * ARGV 1 field  2 value  3 field of the count of bytes  4 most bytes
 * Returns -1; the bytes that are held when the value does not fit beside them
 */
export const KEEP_WITHIN = new LuaScript(`
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return -1 end
local held = tonumber(redis.call('HGET', KEYS[2], ARGV[3]) or 0)
local left = held - redis.call('HSTRLEN', KEYS[2], ARGV[1])
if left + #ARGV[2] > tonumber(ARGV[4]) then return held end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2], ARGV[3], left + #ARGV[2])
return -1
`);
