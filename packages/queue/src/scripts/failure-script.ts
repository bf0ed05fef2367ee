import { LuaScript } from './lua-script.ts';

/**
 * Notes failed jobs of one queue, and forgets the oldest beyond a limit.
 *
 * KEYS 1 times  2 jobs
 * ARGV 1 most jobs  2 seconds to keep them  3.. time, id, JSON of each
 */
export const RECORD_FAILURES = new LuaScript(`
for index = 3, #ARGV, 3 do
  redis.call('ZADD', KEYS[1], ARGV[index], ARGV[index + 1])
  redis.call('HSET', KEYS[2], ARGV[index + 1], ARGV[index + 2])
end
local excess = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[1])
if excess > 0 then
  local popped = redis.call('ZPOPMIN', KEYS[1], excess)
  for index = 1, #popped, 2 do redis.call('HDEL', KEYS[2], popped[index]) end
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
`);
