import { LuaScript } from './lua-script.ts';

/**
 * Notes a submission, once per turn id.
 *
 * KEYS 1 meta
 * ARGV field, value, ...
 * Returns 1 if this call noted it, 0 if the turn was there before.
 */
export const SUBMIT = new LuaScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'status', 'queued', unpack(ARGV))
return 1
`);
