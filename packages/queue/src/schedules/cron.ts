import { SkillyardError } from '@skillyard/contracts';
import { getNextMillis } from 'bullmq';

const FIELDS = /^\S+( +\S+){4,5}$/;

/**
 * When a schedule is due next.
 * @param cron five fields, or six with seconds first
 * @param timezone as the IANA names it
 * @returns milliseconds since the epoch, later than `afterMs`
 * @throws SkillyardError INPUT_INVALID if one of them cannot be read, or no such time comes
 */
export function nextFiringMs(cron: string, timezone: string, afterMs: number): number {
  checkTimezone(timezone);
  if (!FIELDS.test(cron)) {
    const message = `cron "${cron}" does not have five fields (minute, hour, day, month, weekday), or six with seconds first`;
    throw new SkillyardError('INPUT_INVALID', message);
  }
  const next = parsed(cron, timezone, afterMs);
  if (next !== undefined) return next;
  throw new SkillyardError('INPUT_INVALID', `cron "${cron}" names a time that never comes`);
}

function parsed(cron: string, timezone: string, afterMs: number): number | undefined {
  try {
    return getNextMillis(afterMs, { pattern: cron, tz: timezone });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `cron "${cron}" cannot be read: ${reason}; write it as "0 9 * * 1-5"`;
    throw new SkillyardError('INPUT_INVALID', message, { cause });
  }
}

function checkTimezone(timezone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone }).format(0);
  } catch (cause) {
    const message = `there is no timezone "${timezone}"; write one as the IANA names it, such as Europe/Lisbon`;
    throw new SkillyardError('INPUT_INVALID', message, { cause });
  }
}
