export { ProgramError, type ProgramErrorCode } from './program-error.ts';
