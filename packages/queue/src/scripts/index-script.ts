import { LuaScript } from './lua-script.ts';

/**
 * Notes the end of a turn beside the turns of its tenant, and forgets some of those that ended long ago.
 * A turn that is not among them is not noted, so that every ended turn is one of the turns.
 *
 * KEYS 1 turns  2 ended
 * ARGV 1 turn id  2 when it ended  3 turns that ended before this time are forgotten  4 how many of them at most
 */
export const NOTE_END = new LuaScript(`
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1]) end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[3], 'LIMIT', 0, ARGV[4])
if #old > 0 then
  redis.call('ZREM', KEYS[1], unpack(old))
  redis.call('ZREM', KEYS[2], unpack(old))
end
return 1
`);
