export { ProgramError, type ProgramErrorCode } from '../program-error.ts';
export type {
  EnvelopeText,
  Journal,
  JournalEntry,
  ProgramOutput,
  RequestText,
  TerminalText,
} from '../protocol/program-output.ts';
export { requestDigest } from '../protocol/digest.ts';
export { journalText } from '../protocol/journal-text.ts';
export { compactJson, elementsOf, membersOf } from '../protocol/json-text.ts';
export { readOutput } from '../protocol/read-output.ts';
export { skillDigest } from '../protocol/skill-digest.ts';
export { launchProgram, type Launch } from './launch.ts';
export { programCommand, readManifest, type Manifest } from './manifest.ts';
export { checkResult } from './result-check.ts';
export {
  respondRun,
  resumeRun,
  startRun,
  type Answer,
  type Progress,
  type ResumeOptions,
  type Supervision,
} from './supervise.ts';
export { SUPERVISOR_VERSION } from './supervisor-version.ts';
