export { act } from './act.ts';
export { decide, type Decided, type HostedOptions } from './decide.ts';
export { serveHost, type HostStreams } from './serve-host.ts';
