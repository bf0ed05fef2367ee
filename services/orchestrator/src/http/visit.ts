import type { Caller } from '@skillyard/contracts';
import type { FastifyRequest } from 'fastify';

/** What becomes known of a request to an operation while it is answered. */
export interface Visit {
  /** null until it is known who calls, and when that stays unknown. */
  caller: Caller | null;
  /** What the handler gave. */
  result: unknown;
}

const VISITS = new WeakMap<FastifyRequest, Visit>();

/** The notes on a request. */
export function visitOf(request: FastifyRequest): Visit {
  let visit = VISITS.get(request);
  if (visit === undefined) {
    visit = { caller: null, result: undefined };
    VISITS.set(request, visit);
  }
  return visit;
}
