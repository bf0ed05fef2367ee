import type { QueueConnection } from '../connection.ts';
import { LuaScript } from '../scripts/lua-script.ts';

/** A note that was not renewed for this long is not believed any more: its writer died. */
const FRESH_MS = 15_000;

/**
 * Writes a note, and keeps the hash for a while. Redis's clock decides: those of the machines may differ.
 *
 * KEYS 1 notes
 * ARGV 1 writer  2 text  3 ms for which it is believed
 */
const WRITE = new LuaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', now, ARGV[2]))
return redis.call('PEXPIRE', KEYS[1], ARGV[3])
`);

/**
 * Reads the notes that are believed, and removes the others.
 *
 * KEYS 1 notes
 * ARGV 1 ms for which a note is believed
 * Returns {writer, text, ...}.
 */
const READ = new LuaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', KEYS[1])
local found = {}
for index = 1, #fields, 2 do
  local at, text = string.match(fields[index + 1], '^(%d+) (.*)$')
  if at and now - tonumber(at) < tonumber(ARGV[1]) then
    found[#found + 1] = fields[index]
    found[#found + 1] = text
  else
    redis.call('HDEL', KEYS[1], fields[index])
  end
end
return found
`);

/** What each of several processes says of itself, as long as it goes on saying so. */
export class Notes {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** Says something; a note that the writer left before is replaced. */
  async write(key: string, writer: string, text: string): Promise<void> {
    await WRITE.run(this.#connection.redis, { keys: [key], args: [writer, text, FRESH_MS] });
  }

  async remove(key: string, writer: string): Promise<void> {
    await this.#connection.redis.hdel(key, writer);
  }

  /** The notes of those that live, by writer. */
  async read(key: string): Promise<Map<string, string>> {
    const reply = (await READ.run(this.#connection.redis, { keys: [key], args: [FRESH_MS] })) as string[];
    const notes = new Map<string, string>();
    for (let index = 0; index + 1 < reply.length; index += 2) {
      notes.set(reply[index] ?? '', reply[index + 1] ?? '');
    }
    return notes;
  }
}
