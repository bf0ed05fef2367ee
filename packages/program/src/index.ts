export { ProgramError, type ProgramErrorCode } from './program-error.ts';
export type { Answer, AnswerSchema, Context, JsonSchema, NotAsync, Option, Program } from './sdk/context.ts';
export { main } from './sdk/main.ts';
export type { RecordedEntry, RecordedJournal } from './sdk/recorded-journal.ts';
export { replayProgram } from './sdk/replay-program.ts';
