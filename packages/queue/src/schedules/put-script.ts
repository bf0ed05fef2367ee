import { LuaScript } from '../scripts/lua-script.ts';

/**
 * Keeps a schedule, unless the tenant has as many others as it may.
 *
 * KEYS 1 schedules
 * ARGV 1 id, 2 schedule (JSON), 3 most schedules
 * Returns 1 if it is kept.
 */
export const PUT_SCHEDULE = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
`);
