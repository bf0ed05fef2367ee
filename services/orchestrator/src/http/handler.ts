import type { API_ROUTES, ApiOperation, ApiRoute, Caller } from '@skillyard/contracts';
import type { Static, TSchema } from 'typebox';

type Part<O extends ApiOperation, K extends 'params' | 'query' | 'body'> =
  (typeof API_ROUTES)[O] extends Readonly<Record<K, infer S extends TSchema>> ? Static<S> : undefined;

/** A request whose parts fit the schemas of its operation, made by somebody who may. */
export interface ApiRequest<O extends ApiOperation> {
  readonly caller: Caller;
  readonly params: Part<O, 'params'>;
  readonly query: Part<O, 'query'>;
  readonly body: Part<O, 'body'>;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  /** The span of the caller (W3C Trace Context). */
  readonly traceparent: string | null;
  /** Aborted when the caller has gone, or the server stops. */
  readonly signal: AbortSignal;
}

type ReplyOf<O extends ApiOperation> = (typeof API_ROUTES)[O]['reply'] extends {
  readonly schema: infer S extends TSchema;
}
  ? Static<S>
  : void;

/** One message of a stream. */
export interface StreamMessage<O extends ApiOperation> {
  /** Where to go on after it. */
  readonly id: string;
  readonly data: ReplyOf<O>;
}

type IsStream<O extends ApiOperation> = (typeof API_ROUTES)[O]['reply'] extends { readonly stream: true }
  ? true
  : false;

/** Answers one operation; what it throws becomes a problem. */
type Handler<O extends ApiOperation> = (
  request: ApiRequest<O>,
) => Promise<IsStream<O> extends true ? AsyncIterable<StreamMessage<O>> : ReplyOf<O>>;

/** One for each operation: one that is forgotten does not compile. */
export type Handlers = { readonly [O in ApiOperation]: Handler<O> };

/** The routes as a list, with their names. */
export type NamedRoute = ApiRoute & { readonly operation: ApiOperation };
