import { LuaScript } from './lua-script.ts';

/**
 * Commits what a batch of events did to one turn: all of it or nothing (Q1).
 *
 * Refused when the turn has another version than the caller read, has ended, or was written under a later epoch: then
 * somebody else owns it, and the caller's copy is void. The epoch is the fencing token of a shard lease.
 *
 * A turn that was ended by the result of a job keeps what it was before this commit, so that it can be reopened: its
 * outbox under another key, because workers and posters look whether a job is in `jobs`.
 *
 * KEYS 1 meta  2 state  3 jobs  4 claims  5 payloads  6 trace  7 memory  8 conversations  9 ended jobs
 * ARGV 1 expected version (0: the turn starts)
 *      2 epoch
 *      3 time in ms
 *      4 outcome as JSON, empty while the turn lives
 *      5 status after this commit
 *      6 seconds an ended turn is kept
 *      7 id of the job whose result ended the turn, empty when the turn cannot be reopened
 *      8 a summary of that result as JSON
 *      9 step events of this commit
 *      10.. six lists, each its length and then its items:
 *          records written (key, JSON, ...), record keys removed, trace events (JSON), jobs asked for (id, JSON, ...),
 *          jobs settled or dropped (id), results that a reopened turn is to be given again (id, JSON, ...)
 * Returns the new version, or minus one.
 */
export const COMMIT = new LuaScript(`
local meta, state, jobs, claims, payloads, trace = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

local known = redis.call('HMGET', meta, 'version', 'epoch', 'status')
if not known[3] then return -1 end
if tonumber(known[1] or '0') ~= tonumber(ARGV[1]) then return -1 end
if known[2] and tonumber(known[2]) > tonumber(ARGV[2]) then return -1 end
if known[3] ~= 'queued' and known[3] ~= 'running' then return -1 end

local at = 10
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

local ended = ARGV[4] ~= ''
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
  inSlices(from, to, function(...)
    redis.call('HDEL', jobs, ...)
    redis.call('HDEL', claims, ...)
    redis.call('HDEL', payloads, ...)
  end)
end

local version = tonumber(ARGV[1]) + 1
redis.call('HSET', meta, 'version', version, 'epoch', ARGV[2], 'status', ARGV[5])
if version == 1 then
  redis.call('HSET', meta, 'startedAtMs', ARGV[3])
  -- The input record of the state holds them from now on.
  redis.call('HDEL', meta, 'vars', 'settings')
end
if ended then
  redis.call('HSET', meta, 'outcome', ARGV[4], 'endedAtMs', ARGV[3])
  local kept = { meta, trace, KEYS[7] }
  if ARGV[7] ~= '' and redis.call('HEXISTS', jobs, ARGV[7]) == 1 then
    redis.call('RENAME', jobs, KEYS[9])
    from, to = list()
    for index = from, to, 2 do
      redis.call('HSET', payloads, ARGV[index], ARGV[index + 1])
      redis.call('HSET', claims, ARGV[index], 'done')
    end
    redis.call('HSET', meta, 'endedBy', ARGV[7], 'endedWith', ARGV[8], 'endedRows', ARGV[9])
    for _, key in ipairs({ state, claims, payloads, KEYS[8], KEYS[9] }) do table.insert(kept, key) end
  else
    redis.call('UNLINK', state, jobs, claims, payloads, KEYS[8])
  end
  for _, key in ipairs(kept) do redis.call('EXPIRE', key, ARGV[6]) end
end
return version
`);
