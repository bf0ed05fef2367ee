import type { Static, TSchema } from 'typebox';
import type { API_ROUTES, ApiOperation } from './routes.ts';

type Part<O extends ApiOperation, K extends 'params' | 'query' | 'body'> =
  (typeof API_ROUTES)[O] extends Readonly<Record<K, infer S extends TSchema>> ? Static<S> : undefined;

/** Parameters in the path of an operation; undefined when it has none. */
export type RouteParams<O extends ApiOperation> = Part<O, 'params'>;
/** What can be asked behind the path; undefined when nothing can. */
export type RouteQuery<O extends ApiOperation> = Part<O, 'query'>;
/** What is sent; undefined when nothing is. */
export type RouteBody<O extends ApiOperation> = Part<O, 'body'>;
/** What comes back, of a stream its messages; undefined when nothing does. */
export type RouteReply<O extends ApiOperation> = (typeof API_ROUTES)[O]['reply'] extends {
  readonly schema: infer S extends TSchema;
}
  ? Static<S>
  : undefined;
