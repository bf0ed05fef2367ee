import { LuaScript } from './lua-script.ts';

/**
 * Keeps what a job was given and what it gave, as long as its turn is kept. Of what does not fit any more only the number is
 * kept. The counts are fields beside the jobs, so that they live exactly as long.
 *
 * KEYS 1 meta  2 history
 * ARGV 1 job id  2 the job as JSON  3 most jobs  4 most bytes
 */
export const KEEP_JOB = new LuaScript(`
local meta, history = KEYS[1], KEYS[2]
if redis.call('EXISTS', meta) == 0 then return 0 end
local held = tonumber(redis.call('HGET', history, '#bytes') or 0)
local before = redis.call('HSTRLEN', history, ARGV[1])
local bytes = held - before + #ARGV[2]
local isFull = before == 0 and redis.call('HLEN', history) >= tonumber(ARGV[3])
if isFull or bytes > tonumber(ARGV[4]) then
  redis.call('HINCRBY', history, '#more', 1)
else
  redis.call('HSET', history, ARGV[1], ARGV[2], '#bytes', bytes)
end
-- An ended turn is forgotten some time: what comes late for it must not stay for ever.
local seconds = redis.call('TTL', meta)
if seconds > 0 then redis.call('EXPIRE', history, seconds) end
return 1
`);
