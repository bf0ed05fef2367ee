export type { WatchArgs, WatchedEvent } from './event-stream.ts';
export type { OperationArgs } from './operation-request.ts';
export type { Operations } from './operations.ts';
export { type EndedTurn, SkillyardClient } from './skillyard-client.ts';
export type { ClientOptions } from './transport.ts';
