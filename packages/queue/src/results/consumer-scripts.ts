import { LuaScript } from '../scripts/lua-script.ts';

/** The one consumer group of every results stream. */
export const GROUP = 'orchestrators';

/**
 * Puts entries that somebody else should have back into their stream, as new ones with a field `b`: what follows from
 * them may have been begun. Those that were claimed from us meanwhile are left alone.
 *
 * KEYS 1 results
 * ARGV 1 group  2 consumer  3.. ids of entries
 * Returns how many were put back.
 */
export const GIVE_BACK = new LuaScript(`
local given = 0
for index = 3, #ARGV do
  local id = ARGV[index]
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], id, id, 1, ARGV[2])
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  if pending[1] and entry then
    redis.call('XADD', KEYS[1], '*', 'b', '1', unpack(entry[2]))
    redis.call('XACK', KEYS[1], ARGV[1], id)
    redis.call('XDEL', KEYS[1], id)
    given = given + 1
  end
end
return given
`);

/**
 * Removes the consumers that hold nothing: those of orchestrators that are gone. One that is not gone after all is made
 * anew by its next read.
 *
 * KEYS 1 results
 * ARGV 1 group  2 consumer that stays
 * Returns how many were removed.
 */
export const REMOVE_IDLE_CONSUMERS = new LuaScript(`
local removed = 0
for _, info in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local fact = {}
  for index = 1, #info, 2 do fact[info[index]] = info[index + 1] end
  if fact['name'] ~= ARGV[2] and fact['pending'] == 0 then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], fact['name'])
    removed = removed + 1
  end
end
return removed
`);
