export { ProgramError } from '../program-error.ts';
export { fileOutputStore, type FileOutputOptions } from './file-output-store.ts';
export { DEFAULT_OUTPUT_BYTES, type OutputName, type OutputStore } from './output-store.ts';
export type { CommandLimits, CommandOptions } from './command-options.ts';
export { runCommand } from './run-command.ts';
