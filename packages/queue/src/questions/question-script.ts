import { LuaScript } from '../scripts/lua-script.ts';

/**
 * Decides a question, once: by an answer, or because its time is over. What comes first holds, whatever else is on its
 * way; from then on the result lies in the payloads of the turn, and its owner finds it there (Q2).
 *
 * KEYS 1 jobs  2 claims  3 payloads
 * ARGV 1 job id  2 the result as JSON
 * Returns 1 if this decided it; 0 when nobody waits for it, or it was decided before.
 */
export const DECIDE_QUESTION = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[2], ARGV[1], 'done') == 0 then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
return 1
`);
