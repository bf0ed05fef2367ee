import { LuaScript } from './lua-script.ts';

/**
 * What a worker asks before it runs a job (Q5, Q6): is it still wanted, and may I?
 *
 * KEYS 1 jobs  2 claims
 * ARGV 1 job id  2 the claimant
 * Returns {'run', envelope} when the job is the claimant's now, {'gone'} when nobody waits for it, {'done'} when its
 * result lies in the payloads of a turn that was reopened, or {'held', envelope, holder} when another attempt has started it. The same attempt may ask
 * again: the answer to its first question may have been lost with a connection.
 */
export const CLAIM = new LuaScript(`
local envelope = redis.call('HGET', KEYS[1], ARGV[1])
if not envelope then return {'gone'} end
local holder = redis.call('HGET', KEYS[2], ARGV[1])
if holder == 'done' then return {'done'} end
if holder and holder ~= ARGV[2] then return {'held', envelope, holder} end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return {'run', envelope}
`);

/**
 * Gives the claim of a dead worker to another (Q6). Whether it is dead is known by a key of another slot, so it is asked
 * before; a claim that changed meanwhile is left alone.
 *
 * KEYS 1 jobs  2 claims
 * ARGV 1 job id  2 the holder as it was seen  3 the claimant
 * Returns 1 if the claimant holds it now.
 */
export const TAKE_OVER = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local holder = redis.call('HGET', KEYS[2], ARGV[1])
if holder == ARGV[3] then return 1 end
if holder ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return 1
`);

/**
 * Gives a claim back, so that the job may be tried again.
 *
 * KEYS 1 claims
 * ARGV 1 job id  2 who holds it
 */
export const RELEASE = new LuaScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`);

/**
 * Keeps a result that is too large for the results stream, while somebody waits for it.
 *
 * KEYS 1 jobs  2 payloads  3 claims
 * ARGV 1 job id  2 the result as JSON  3 who holds it; '' for a job that is not claimed
 * Returns 1, or 0 when nobody waits for it, or not for this attempt at it.
 */
export const STASH = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if ARGV[3] ~= '' and redis.call('HGET', KEYS[3], ARGV[1]) ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
`);

/**
 * Adds a notice to the trace of a turn that is known.
 *
 * KEYS 1 meta  2 trace
 * ARGV 1 the event as JSON
 */
export const NOTICE = new LuaScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 'e', ARGV[1])
return 1
`);
