export { decideProgram } from './decide-program.ts';
export { type AnsweredOperation, operationsOf } from './program-memo.ts';
export type { DecidedProgram, HostedSettings, ProgramTurn } from './program-turn.ts';
