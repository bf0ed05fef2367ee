export type { ProgramIo } from './program-io.ts';
export { runProgram } from './run-program.ts';
