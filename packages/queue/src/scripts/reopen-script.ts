import { LuaScript } from './lua-script.ts';

/**
 * Makes a turn run again that ended by results of jobs, as it was before the first of them.
 *
 * What is to be done then is written before it is done: results that are known lie in the payloads, their claims say
 * `done`, and `reopened` makes the owner of the turn post them and ask for everything else (Q2).
 *
 * KEYS 1 meta  2 state  3 jobs  4 claims  5 payloads  6 trace  7 memory  8 conversations  9 ended jobs  10 replay
 *      11 history
 * ARGV 1 the version that was read  2 trace event as JSON  3 the header record as JSON
 *      4 ids of the jobs whose results are known, in the order they are to be given again, as a JSON array
 *      5 how many jobs are to be run again, then their ids; after them the id and the JSON of each further result
 * Returns 1, or 0 when the turn is not what was read.
 */
export const REOPEN = new LuaScript(`
local meta, state, jobs, claims, payloads = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local known = redis.call('HMGET', meta, 'status', 'fatal', 'version')
if known[1] ~= 'failed' and known[1] ~= 'denied' then return 0 end
if not known[2] or known[3] ~= ARGV[1] then return 0 end
if redis.call('EXISTS', state) == 0 then return 0 end

if redis.call('EXISTS', KEYS[9]) == 1 then redis.call('RENAME', KEYS[9], jobs) end
redis.call('HSET', state, 'turn', ARGV[3])
local last = 5 + tonumber(ARGV[5])
for index = 6, last do
  redis.call('HDEL', claims, ARGV[index])
  redis.call('HDEL', payloads, ARGV[index])
end
for index = last + 1, #ARGV, 2 do
  redis.call('HSET', payloads, ARGV[index], ARGV[index + 1])
  redis.call('HSET', claims, ARGV[index], 'done')
end
redis.call('UNLINK', KEYS[10])
redis.call('HDEL', meta, 'outcome', 'endedAtMs', 'fatal', 'fatalRows')
if redis.call('HEXISTS', meta, 'waiting') == 1 then
  local waiting = 0
  for _, envelope in ipairs(redis.call('HVALS', jobs)) do
    if cjson.decode(envelope).job.kind == 'ask' then waiting = waiting + 1 end
  end
  redis.call('HSET', meta, 'waiting', waiting)
end
redis.call('HSET', meta, 'status', 'running', 'reopened', ARGV[4])
redis.call('HINCRBY', meta, 'version', 1)
redis.call('XADD', KEYS[6], '*', 'e', ARGV[2])
for index = 1, 8 do redis.call('PERSIST', KEYS[index]) end
redis.call('PERSIST', KEYS[11])
return 1
`);

/**
 * Keeps a result that came after its turn had ended by that of another job, for whoever reopens the turn.
 *
 * KEYS 1 meta  2 claims  3 payloads  4 ended jobs
 * ARGV 1 job id  2 the result as JSON
 */
export const KEEP_LATE = new LuaScript(`
if redis.call('HEXISTS', KEYS[4], ARGV[1]) == 0 then return 0 end
local seconds = redis.call('TTL', KEYS[1])
if seconds <= 0 then return 0 end
redis.call('HSETNX', KEYS[3], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], 'done')
redis.call('EXPIRE', KEYS[2], seconds)
redis.call('EXPIRE', KEYS[3], seconds)
return 1
`);
