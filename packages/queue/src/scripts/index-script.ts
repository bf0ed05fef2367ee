import { LuaScript } from './lua-script.ts';

/**
 * Makes a turn one that has not ended, whatever was noted of it.
 *
 * KEYS 1 turns  2 ended
 * ARGV 1 turn id  2 when it was submitted
 */
export const OPEN_TURN = new LuaScript(`
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('PERSIST', KEYS[1])
redis.call('PERSIST', KEYS[2])
return 1
`);

/**
 * Notes the ends of turns beside the turns of their tenant, and forgets some of those that ended long ago.
 * A turn that is not among them is not noted, so that every ended turn is one of the turns. When all have ended, the
 * lists are kept as long as the last of them: nobody comes back to those of a tenant that submits nothing more.
 *
 * KEYS 1 turns  2 ended
 * ARGV 1 turns that ended before this time are forgotten  2 how many of them at most  3 ms an ended turn is kept
 *      4.. turn id, when it ended, ...
 */
export const NOTE_ENDS = new LuaScript(`
for index = 4, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[index]) then redis.call('ZADD', KEYS[2], ARGV[index + 1], ARGV[index]) end
end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
if #old > 0 then
  redis.call('ZREM', KEYS[1], unpack(old))
  redis.call('ZREM', KEYS[2], unpack(old))
end
if redis.call('ZCARD', KEYS[1]) == redis.call('ZCARD', KEYS[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
return 1
`);
