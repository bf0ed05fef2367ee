export {
  type DecidedProgram,
  decideProgram,
  type HostedSettings,
  type ProgramTurn,
} from './decide-program.ts';
export { type AnsweredOperation, operationsOf } from './program-memo.ts';
