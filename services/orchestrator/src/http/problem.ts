import { ERRORS, type ErrorCode, type Problem, SkillyardError } from '@skillyard/contracts';
import { redisAway } from '@skillyard/queue';
import { SkillRefused } from '../skills/accept-skill.ts';
import { describeMismatch, type Mismatch } from './describe-mismatch.ts';

/** The media type of RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';

/** Seconds after which a request that was refused for now may be made again, where nobody knows better. */
const RETRY_AFTER_S = 2;

/** How a request is answered that went wrong. */
export interface ProblemReply {
  readonly problem: Problem;
  /** For the header `Retry-After`; null where a repeat would fail as well. */
  readonly retryAfterS: number | null;
  /** Whether it is a bug of ours, which the log has to tell of. */
  readonly isBug: boolean;
}

/**
 * What the caller is told of an error. Of one that is not ours nothing is told but the id of the request: its message
 * may hold anything.
 */
export function problemOf(error: unknown, requestId: string): ProblemReply {
  const known = SkillyardError.is(error) ? error : (redisAway(error) ?? translated(error));
  const { code, message, details } = known;
  const { http: status, meaning, kind } = ERRORS[code];
  const problem: Problem = {
    type: `/docs#${code}`,
    title: meaning,
    status,
    code,
    detail: message,
    instance: requestId,
    ...(known instanceof SkillRefused && { diagnostics: [...known.diagnostics] }),
  };
  const afterMs = details['retryAfterMs'];
  const waitS = typeof afterMs === 'number' ? Math.max(1, Math.ceil(afterMs / 1000)) : RETRY_AFTER_S;
  return {
    problem,
    retryAfterS: status === 429 || status === 503 ? waitS : null,
    isBug: kind === 'bug',
  };
}

/** What Fastify throws before a handler runs. */
interface ServerError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly validation?: readonly Mismatch[];
  readonly validationContext?: string;
}

const BODY_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'BODY_TOO_LARGE',
    'the body is larger than the server lets through (http.max_body_bytes)',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'INPUT_INVALID',
    'the body is of a type that is not understood; send JSON, with content-type: application/json',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [
    'INPUT_INVALID',
    'the body is empty; send a JSON object, or leave out the header content-type',
  ],
};

function translated(error: unknown): SkillyardError {
  const { code, statusCode, validation, validationContext } = (error ?? {}) as ServerError;
  if (validation !== undefined) {
    const message = describeMismatch(validation, validationContext ?? 'body');
    return new SkillyardError('INPUT_INVALID', message, { cause: error });
  }
  const body = BODY_ERRORS[String(code)];
  if (body !== undefined) return new SkillyardError(body[0], body[1], { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const message = 'the request cannot be read; its body has to be JSON and as long as its headers say';
    return new SkillyardError('INPUT_INVALID', message, { cause: error });
  }
  const message =
    'something went wrong that is a bug of ours; the log tells more under the id of the request';
  return new SkillyardError('INTERNAL', message, { cause: error });
}
