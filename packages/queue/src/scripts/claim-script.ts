import { LuaScript } from './lua-script.ts';

/**
 * What a worker asks before it runs a job (Q5, Q6): is it still wanted, and may I?
 *
 * KEYS 1 jobs  2 claims
 * ARGV 1 job id  2 name of the attempt  3 '1' if the job must not run twice
 * Returns {'run', envelope}, {'gone'} when nobody waits for it, {'done'} when its result is on its way, or
 * {'lost', name} when another attempt started it, whose worker must have died. The same attempt may ask again: the
 * answer to its first question may have been lost with a connection.
 */
export const CLAIM = new LuaScript(`
local envelope = redis.call('HGET', KEYS[1], ARGV[1])
if not envelope then return {'gone'} end
local holder = redis.call('HGET', KEYS[2], ARGV[1])
if holder == 'done' then return {'done'} end
if ARGV[3] == '1' then
  if holder and holder ~= ARGV[2] then return {'lost', holder} end
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
return {'run', envelope}
`);

/**
 * Marks a job whose result was posted (Q7), unless the result was applied meanwhile: then there is nothing to mark, and
 * an ended turn must not get a key that never expires.
 *
 * KEYS 1 jobs  2 claims
 * ARGV 1 job id
 */
export const MARK_DONE = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], 'done') end
return 1
`);

/**
 * Gives a claim back, so that the job may be tried again.
 *
 * KEYS 1 claims
 * ARGV 1 job id  2 name of the attempt that holds it
 */
export const RELEASE = new LuaScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`);

/**
 * Keeps a result that is too large for the results stream, while somebody waits for it.
 *
 * KEYS 1 jobs  2 payloads
 * ARGV 1 job id  2 the result as JSON
 * Returns 1, or 0 when nobody waits for it.
 */
export const STASH = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
`);
