import { API_ROUTES, type ApiOperation, type RouteReply } from '@skillyard/contracts';
import type { AnyArgs, OperationArgs } from './operation-request.ts';
import type { Transport } from './transport.ts';

/** Operations that are answered at once: all but those that stream. */
type PlainOperation = {
  [O in ApiOperation]: (typeof API_ROUTES)[O]['reply'] extends { readonly stream: true } ? never : O;
}[ApiOperation];

type Operation<O extends PlainOperation> =
  object extends OperationArgs<O>
    ? (args?: OperationArgs<O>) => Promise<RouteReply<O>>
    : (args: OperationArgs<O>) => Promise<RouteReply<O>>;

/** A method for each operation, by its name in the table. */
export type Operations = { readonly [O in PlainOperation]: Operation<O> };

class TableOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    for (const operation of Object.keys(API_ROUTES) as ApiOperation[]) {
      if ('stream' in API_ROUTES[operation].reply) continue;
      const value = (args: AnyArgs = {}): Promise<unknown> => this.#transport.call(operation, args);
      Object.defineProperty(this, operation, { value, enumerable: true });
    }
  }
}

/** The methods are made from the table, and typed by it: an operation is written down once. */
export const OperationsOf = TableOperations as unknown as new (transport: Transport) => Operations;
