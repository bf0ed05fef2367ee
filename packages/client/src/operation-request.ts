import {
  API_ROUTES,
  type ApiOperation,
  type ApiRoute,
  type RouteBody,
  type RouteParams,
  type RouteQuery,
} from '@skillyard/contracts';

type Fields<T> = T extends undefined ? unknown : T;
type Body<T> = [T] extends [undefined]
  ? unknown
  : object extends T
    ? { readonly body?: T }
    : { readonly body: T };
type Idempotency<O extends ApiOperation> = (typeof API_ROUTES)[O] extends { readonly idempotent: true }
  ? {
      /** Makes a repeat harmless. One is made up when none is given, for the repeats of the client itself. */
      readonly idempotencyKey?: string | undefined;
    }
  : unknown;

/** What an operation is called with: parameters of its path and its query by their names, and its body. */
export type OperationArgs<O extends ApiOperation> = Fields<RouteParams<O>> &
  Fields<RouteQuery<O>> &
  Body<RouteBody<O>> &
  Idempotency<O> & {
    /** Gives the request up. */
    readonly signal?: AbortSignal | undefined;
  };

/** The same as anybody may call it: the types are checked where an operation is named. */
export interface AnyArgs {
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly [name: string]: unknown;
}

/** A request before it is known where to and by whom. */
export interface OperationRequest {
  readonly method: ApiRoute['method'];
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it may be made once more when it is not known what became of it. */
  readonly repeatable: boolean;
}

/** Bytes of an idempotency key: nobody ever makes the same one. */
const KEY_BYTES = 16;

/** Writes down the request of an operation. */
export function operationRequest(operation: ApiOperation, args: AnyArgs): OperationRequest {
  const route: ApiRoute = API_ROUTES[operation];
  const { body = {}, idempotencyKey, signal: _signal, ...named } = args;
  const query = new URLSearchParams();
  const inPath = new Set(Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name));
  for (const [name, value] of Object.entries(named)) {
    if (value === undefined || inPath.has(name)) continue;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) query.append(name, String(one));
  }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(named[name])),
  );
  return {
    method: route.method,
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers: {
      accept: route.reply.stream === true ? 'text/event-stream' : 'application/json',
      ...(route.body && { 'content-type': 'application/json' }),
      ...(route.idempotent && { 'idempotency-key': idempotencyKey ?? newKey() }),
    },
    ...(route.body && { body: JSON.stringify(body) }),
    repeatable: route.method === 'GET' || route.idempotent === true,
  };
}

/** Not `randomUUID`: a browser has that on secure pages only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
