export { ProgramError, type ProgramErrorCode } from '../program-error.ts';
export type {
  EnvelopeText,
  Journal,
  JournalEntry,
  ProgramOutput,
  RequestText,
  TerminalText,
} from '../protocol/program-output.ts';
