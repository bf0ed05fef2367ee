export { runCommandLine } from './command-line.ts';
export type { OutputStream, Surroundings } from './surroundings.ts';
