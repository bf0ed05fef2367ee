import { LuaScript } from './lua-script.ts';

/**
 * Notes the ends of turns beside the turns of their tenant, and forgets some of those that ended long ago.
 * A turn that is not among them is not noted, so that every ended turn is one of the turns.
 *
 * KEYS 1 turns  2 ended
 * ARGV 1 turns that ended before this time are forgotten  2 how many of them at most  3.. turn id, when it ended, ...
 */
export const NOTE_ENDS = new LuaScript(`
for index = 3, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[index]) then redis.call('ZADD', KEYS[2], ARGV[index + 1], ARGV[index]) end
end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
if #old > 0 then
  redis.call('ZREM', KEYS[1], unpack(old))
  redis.call('ZREM', KEYS[2], unpack(old))
end
return 1
`);
