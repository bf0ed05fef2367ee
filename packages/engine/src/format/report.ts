import type { Diagnostic, Position } from '@skillyard/contracts';
import type { Lines } from './lines.ts';

/** Why a text is no skill file: it cannot be read as one. */
type ParseCode =
  | 'SKILL_TOO_LARGE'
  | 'SKILL_TOO_COMPLEX'
  | 'SKILL_YAML'
  | 'SKILL_ALIAS'
  | 'SKILL_DUPLICATE_KEY'
  | 'SKILL_SEVERAL_DOCUMENTS'
  | 'SKILL_ROOT'
  | 'SKILL_TYPE';

/** Why a skill file is refused although it can be read (spec section 14). */
export type ValidationCode =
  | 'VERSION_MISSING'
  | 'VERSION_UNSUPPORTED'
  | 'FIELD_NEEDS_VERSION'
  | 'NAME_MISSING'
  | 'NAME_INVALID'
  | 'DESCRIPTION_MISSING'
  | 'MODE_INVALID'
  | 'CODE_INVALID'
  | 'KEY_GIVEN_TWICE'
  | 'ASSET_WITHOUT_SOURCE'
  | 'ASSET_SOURCE_TWICE'
  | 'ASSET_FETCH_INVALID'
  | 'PROFILE_WITHOUT_NAME'
  | 'PROFILE_UNKNOWN'
  | 'PROFILE_MISPLACED'
  | 'SAMPLING_MISPLACED'
  | 'ON_ERROR_UNKNOWN'
  | 'ON_EMPTY_UNKNOWN'
  | 'ON_EMPTY_VALUE_MISSING'
  | 'ON_EMPTY_VALUE_UNUSED'
  | 'ON_EMPTY_RETRIES_INVALID'
  | 'ON_EMPTY_RETRY_ON_CALL'
  | 'NUMBER_OUT_OF_RANGE'
  | 'SCHEMA_WITHOUT_MODEL'
  | 'FIELD_MISSING'
  | 'CONDITION_INVALID'
  | 'TOOL_INVALID'
  | 'LOOP_IN_IS_TEMPLATE'
  | 'LOOP_NOT_INDEPENDENT'
  | 'PARALLEL_TOO_FEW_BRANCHES'
  | 'TIMEOUT_INVALID'
  | 'ON_TIMEOUT_INVALID'
  | 'STEP_NO_ACTION'
  | 'STEP_SEVERAL_ACTIONS';

/** Why a file of an older format is left as it is (spec section 16). */
type MigrationCode = 'MIGRATION_REFUSED';

/** One thing that is wrong. */
export interface Problem {
  readonly code: ParseCode | ValidationCode | MigrationCode;
  /** What is wrong, and where. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
  /** Where in the text; a position where that is known already. */
  readonly offset: number | Position;
  /** The step it is about, by name or by index path. */
  readonly step?: string;
}

/** A file with more problems than this has one problem, and nobody reads further. */
const MAX_DIAGNOSTICS = 100;

/** Gathers what is wrong with one file, in the order in which it is found. */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly #lines: Lines;
  readonly #file: string | undefined;

  constructor(lines: Lines, file: string | undefined) {
    this.#lines = lines;
    this.#file = file;
  }

  add({ code, message, hint, offset, step }: Problem): void {
    if (this.diagnostics.length >= MAX_DIAGNOSTICS) return;
    this.diagnostics.push({
      code,
      severity: 'error',
      message,
      hint,
      ...(this.#file === undefined ? {} : { file: this.#file }),
      position: typeof offset === 'number' ? this.positionAt(offset) : offset,
      ...(step === undefined ? {} : { step }),
    });
  }

  positionAt(offset: number): Position {
    return this.#lines.positionAt(offset);
  }

  /** An empty report on the same file. */
  fresh(): Report {
    return new Report(this.#lines, this.#file);
  }
}
