export { ProgramError, type ProgramErrorCode } from './program-error.ts';
export type { Answer, AnswerSchema, Context, JsonSchema, NotAsync, Option, Program } from './sdk/context.ts';
export { main } from './sdk/main.ts';
