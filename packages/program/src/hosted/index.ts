export { decideProgram } from './decide-program.ts';
export { type HostedSettings, readHostedSettings } from './hosted-settings.ts';
export { type AnsweredOperation, operationsOf } from './program-memo.ts';
export type { DecidedProgram, ProgramTurn } from './program-turn.ts';
