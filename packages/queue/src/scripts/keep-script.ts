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
