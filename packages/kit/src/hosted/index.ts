export { act } from './act.ts';
export { decide, type Decided, type TurnSoFar } from './decide.ts';
export type { HostedOptions } from './open-turn.ts';
export { serveHost, type HostStreams } from './serve-host.ts';
