export { ProgramError, type ProgramErrorCode } from '../program-error.ts';
export type {
  EnvelopeText,
  Journal,
  JournalEntry,
  ProgramOutput,
  RequestText,
  TerminalText,
} from '../protocol/program-output.ts';
export { fileOutputStore, type FileOutputOptions } from '../command/file-output-store.ts';
export { DEFAULT_OUTPUT_BYTES, type OutputName, type OutputStore } from '../command/output-store.ts';
export {
  DEFAULT_COMMAND_TIMEOUT_MS,
  runCommand,
  type CommandLimits,
  type CommandOptions,
} from '../command/run-command.ts';
