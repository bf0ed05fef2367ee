export type { CliIo } from './cli-io.ts';
export { main, runCli } from './main.ts';
