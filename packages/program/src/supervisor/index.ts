export { ProgramError, type ProgramErrorCode } from '../program-error.ts';
export type {
  EnvelopeText,
  Journal,
  JournalEntry,
  ProgramOutput,
  RequestText,
  TerminalText,
} from '../protocol/program-output.ts';
export { requestDigest, textDigest } from '../protocol/digest.ts';
export { journalText } from '../protocol/journal-text.ts';
export { compactJson, elementsOf, membersOf } from '../protocol/json-text.ts';
export { readOutput } from '../protocol/read-output.ts';
export { skillDigest } from '../skill/skill-digest.ts';
export { launchProgram, type Launch } from './launch.ts';
export { programCommand, readManifest, type Manifest } from './manifest.ts';
export { replayRun } from './replay.ts';
export { checkResult } from './result-check.ts';
export { newRunId, removeRun, runFiles, runIds, runsFolderOf, type RunFiles } from './run-files.ts';
export { lockRun } from './run-lock.ts';
export { readLog, type LogContent, type LogRecord } from './run-log.ts';
export { RunState } from './run-state.ts';
export { respondRun, resumeRun, startRun, type Answer, type ResumeOptions } from './supervise.ts';
export type { Progress, Supervision } from './supervision.ts';
export { SUPERVISOR_VERSION } from './supervisor-version.ts';
