import { LuaScript } from '../scripts/lua-script.ts';

/** The hash in a line of versions, which begins with it: the rest is what people wrote, and need not be read. */
const HASH_OF = `local function hashOf(line) return string.match(line, '^{"hash":"([^"]+)"') end`;

/**
 * Makes a text the current version of a skill of a tenant. A text that was there before is the latest again, and not
 * twice there; with one version too many the oldest is forgotten.
 *
 * KEYS 1 skills, 2 versions, 3 texts
 * ARGV 1 name, 2 hash, 3 summary (JSON), 4 version (JSON), 5 text, 6 most skills, 7 most versions of one, 8 most bytes
 * Returns 'ok', or which limit is in the way: 'skills', 'bytes'.
 */
export const UPLOAD = new LuaScript(`
${HASH_OF}
local name, hash = ARGV[1], ARGV[2]
if redis.call('HEXISTS', KEYS[1], name) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then
  return 'skills'
end
local kept, forgotten = {ARGV[4]}, {}
for line in string.gmatch(redis.call('HGET', KEYS[2], name) or '', '[^\\n]+') do
  local other = hashOf(line)
  if other ~= hash then
    if #kept < tonumber(ARGV[7]) then kept[#kept + 1] = line else forgotten[#forgotten + 1] = other end
  end
end
local bytes = tonumber(redis.call('HGET', KEYS[3], '#bytes') or '0')
for _, other in ipairs(forgotten) do bytes = bytes - redis.call('HSTRLEN', KEYS[3], other) end
if redis.call('HEXISTS', KEYS[3], hash) == 0 then bytes = bytes + #ARGV[5] end
if bytes > tonumber(ARGV[8]) then return 'bytes' end
for _, other in ipairs(forgotten) do redis.call('HDEL', KEYS[3], other) end
redis.call('HSET', KEYS[3], hash, ARGV[5], '#bytes', bytes)
redis.call('HSET', KEYS[2], name, table.concat(kept, '\\n'))
redis.call('HSET', KEYS[1], name, ARGV[3])
return 'ok'
`);

/**
 * Forgets a skill of a tenant with all its versions.
 *
 * KEYS 1 skills, 2 versions, 3 texts
 * ARGV 1 name
 * Returns 1 if there was one.
 */
export const DELETE_SKILL = new LuaScript(`
${HASH_OF}
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
local bytes = tonumber(redis.call('HGET', KEYS[3], '#bytes') or '0')
for line in string.gmatch(redis.call('HGET', KEYS[2], ARGV[1]) or '', '[^\\n]+') do
  bytes = bytes - redis.call('HSTRLEN', KEYS[3], hashOf(line))
  redis.call('HDEL', KEYS[3], hashOf(line))
end
redis.call('HSET', KEYS[3], '#bytes', bytes)
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
`);
