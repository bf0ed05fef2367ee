import type { Cursor } from './cursor.ts';
import type { Failed } from './step-end.ts';

/** The code of a failure that no policy can tolerate: the turn has reached one of its limits (spec section 17). */
export const LIMIT_CODE = 'LIMIT_EXCEEDED';

/** Whether one more generation or call would pass a limit of the turn. */
export function limitFailure(cursor: Cursor, what: 'generations' | 'calls'): Failed | undefined {
  const limits = cursor.program.limits;
  if (limits === null) return undefined;
  const { usage } = cursor.turn;
  if (limits[what] > 0 && usage[what] >= limits[what]) return reached(what, limits[what]);
  const tokens = usage.inputTokens + usage.outputTokens;
  if (limits.tokens > 0 && tokens >= limits.tokens) return reached('tokens', limits.tokens);
  return undefined;
}

function reached(what: string, limit: number): Failed {
  return {
    failure: { kind: 'error', code: LIMIT_CODE, message: `the turn reached its limit of ${limit} ${what}` },
    calls: 0,
    callsFailed: 0,
  };
}
