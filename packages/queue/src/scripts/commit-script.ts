import { LuaScript } from './lua-script.ts';

/**
 * Commits what a batch of events did to one turn: all of it or nothing (Q1).
 *
 * Refused when the turn has another version than the caller read, has ended, or was written under a later epoch: then
 * somebody else owns it, and the caller's copy is void. The epoch is the fencing token of a shard lease.
 *
 * A turn that was ended by the result of a job keeps what it was before this commit, so that it can be reopened: its
 * outbox under another key, because workers and posters look whether a job is in `jobs`. One that is bound to end by a
 * result, and goes on until what runs beside has ended, is copied at the commit of that result; from then on the results
 * it gets are kept in order, and the claims of calls that must not run twice when they are dropped.
 *
 * KEYS 1 meta  2 state  3 jobs  4 claims  5 payloads  6 trace; of a commit that ends the turn or of one that is bound to
 *      end, also 7 memory  8 conversations  9 ended jobs  10 doomed state  11 doomed claims  12 replay
 *      13 history
 * ARGV 1 expected version (0: the turn starts)
 *      2 epoch
 *      3 time in ms
 *      4 outcome as JSON, empty while the turn lives
 *      5 status after this commit
 *      6 seconds an ended turn is kept
 *      7 1 when the turn ends, now or later, by results of jobs, and can be reopened
 *      8 summaries of those of them that this commit has, as JSON objects with commas between them
 *      9 step events of this commit
 *      10 how many questions to people the turn waits for more than before
 *      11.. six lists, each its length and then its items:
 *          records written (key, JSON, ...), record keys removed, trace events (JSON), jobs asked for (id, JSON, ...),
 *          jobs settled or dropped (id), results that a reopened turn is given again (id, JSON, ...)
 * Returns the new version, or minus one.
 */
export const COMMIT = new LuaScript(`
local meta, state, jobs, claims, payloads, trace = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

local known = redis.call('HMGET', meta, 'version', 'epoch', 'status')
local status, epoch = known[3], known[2] or '0'
if status ~= 'queued' and status ~= 'running' then return -1 end
if (known[1] or '0') ~= ARGV[1] then return -1 end
if epoch ~= ARGV[2] and tonumber(epoch) > tonumber(ARGV[2]) then return -1 end

local at = 11
local function list()
  local length = tonumber(ARGV[at])
  local from = at + 1
  at = from + length
  return from, at - 1
end
-- unpack() is limited by the Lua stack: long lists go in slices.
local function inSlices(from, to, call)
  for first = from, to, 1000 do
    call(unpack(ARGV, first, math.min(first + 999, to)))
  end
end

local endedJobs, doomedState, doomedClaims, replay = KEYS[9], KEYS[10], KEYS[11], KEYS[12]
local ended = ARGV[4] ~= ''
local reopenable = ARGV[7] == '1'
local doomed = (ended or reopenable) and redis.call('EXISTS', doomedState) == 1
if reopenable and not ended and not doomed then
  redis.call('COPY', state, doomedState)
  redis.call('COPY', jobs, endedJobs)
end
-- Whoever reopens the turn has to know which calls may have been made. Others are simply run again.
local function keepClaim(id, holder)
  local envelope = holder and redis.call('HGET', jobs, id)
  if envelope and cjson.decode(envelope).effect == 'once' then redis.call('HSET', doomedClaims, id, holder) end
end

local from, to = list()
if not ended then inSlices(from, to, function(...) redis.call('HSET', state, ...) end) end
from, to = list()
if not ended then inSlices(from, to, function(...) redis.call('HDEL', state, ...) end) end
from, to = list()
for index = from, to do redis.call('XADD', trace, '*', 'e', ARGV[index]) end
from, to = list()
if not ended then inSlices(from, to, function(...) redis.call('HSET', jobs, ...) end) end
from, to = list()
if not ended then
  if reopenable then
    for index = from, to do keepClaim(ARGV[index], redis.call('HGET', claims, ARGV[index])) end
  end
  inSlices(from, to, function(...)
    redis.call('HDEL', jobs, ...)
    redis.call('HDEL', claims, ...)
    redis.call('HDEL', payloads, ...)
  end)
end

from, to = list()
if reopenable then
  for index = from, to, 2 do
    redis.call('HSETNX', payloads, ARGV[index], ARGV[index + 1])
    redis.call('RPUSH', replay, ARGV[index])
  end
  redis.call('HINCRBY', meta, 'fatalRows', ARGV[9])
  if ARGV[8] ~= '' then
    local before = redis.call('HGET', meta, 'fatal')
    redis.call('HSET', meta, 'fatal', before and (before .. ',' .. ARGV[8]) or ARGV[8])
  end
end

local version = tonumber(ARGV[1]) + 1
if version == 1 then
  redis.call('HSET', meta, 'version', version, 'epoch', ARGV[2], 'status', ARGV[5], 'startedAtMs', ARGV[3])
  -- The input record of the state holds them from now on.
  redis.call('HDEL', meta, 'vars', 'settings')
elseif status == ARGV[5] and epoch == ARGV[2] then
  redis.call('HSET', meta, 'version', version)
else
  redis.call('HSET', meta, 'version', version, 'epoch', ARGV[2], 'status', ARGV[5])
end
if ARGV[10] ~= '0' then redis.call('HINCRBY', meta, 'waiting', ARGV[10]) end
if ended then
  redis.call('HSET', meta, 'outcome', ARGV[4], 'endedAtMs', ARGV[3])
  local kept = { meta, trace, KEYS[7], KEYS[13] }
  if reopenable then
    if doomed then
      local holders = redis.call('HGETALL', claims)
      for index = 1, #holders, 2 do keepClaim(holders[index], holders[index + 1]) end
      redis.call('UNLINK', jobs, claims)
      redis.call('RENAME', doomedState, state)
      if redis.call('EXISTS', doomedClaims) == 1 then redis.call('RENAME', doomedClaims, claims) end
    elseif redis.call('EXISTS', jobs) == 1 then
      redis.call('RENAME', jobs, endedJobs)
    end
    for _, id in ipairs(redis.call('LRANGE', replay, 0, -1)) do redis.call('HSET', claims, id, 'done') end
    for _, key in ipairs({ state, claims, payloads, KEYS[8], endedJobs, replay }) do table.insert(kept, key) end
  else
    redis.call('UNLINK', state, jobs, claims, payloads, KEYS[8], endedJobs, doomedState, doomedClaims, replay)
    redis.call('HDEL', meta, 'fatal', 'fatalRows')
  end
  for _, key in ipairs(kept) do redis.call('EXPIRE', key, ARGV[6]) end
end
return version
`);
