import type { Diagnostic, Position } from '@skillyard/contracts';
import { printable } from './printable.ts';

/** What can be said of a skill folder or archive. */
export type SkillProblemCode =
  | 'SKILL_FILE_MISSING'
  | 'SKILL_FILE_UNREADABLE'
  | 'SKILL_FILE_TOO_LARGE'
  | 'SKILL_FILES_TOO_LARGE'
  | 'SKILL_FILE_NOT_UTF8'
  | 'SKILL_FILE_OUTSIDE'
  | 'SKILL_FILE_NAME'
  | 'FRONT_MATTER_MISSING'
  | 'FRONT_MATTER_TOO_LARGE'
  | 'FRONT_MATTER_YAML'
  | 'FRONT_MATTER_DUPLICATE_KEY'
  | 'FRONT_MATTER_FIELD_TYPE'
  | 'FRONT_MATTER_FIELD_UNKNOWN'
  | 'FRONT_MATTER_SUBSET'
  | 'SKILL_NAME_MISSING'
  | 'SKILL_NAME_RULES'
  | 'SKILL_NAME_PORTABLE'
  | 'SKILL_NAME_FOLDER'
  | 'SKILL_DESCRIPTION_MISSING'
  | 'SKILL_FIELD_LENGTH'
  | 'SKILL_SHADOWED'
  | 'SKILL_NAME_CASE'
  | 'FOLDER_UNREADABLE'
  | 'FOLDER_TOO_LARGE'
  | 'FOLDER_LOOP'
  | 'FOLDER_TOO_DEEP'
  | 'ENTRY_NAME'
  | 'ARCHIVE_ENTRY_SKIPPED';

/** One thing that is wrong, before it is known of which file. */
export interface SkillProblem {
  readonly code: SkillProblemCode;
  /** An error leaves the skill out (strict: ends the loading); a warning does neither. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
  readonly position?: Position;
}

/** The diagnostic of a problem in a file. */
export function inFile(problem: SkillProblem, file: string): Diagnostic {
  return {
    ...problem,
    message: printable(problem.message, MAX_MESSAGE),
    hint: printable(problem.hint, MAX_MESSAGE),
    file: printable(file, MAX_FILE),
  };
}

/** Names from skill files stand in messages. */
const MAX_MESSAGE = 400;
const MAX_FILE = 1000;
