import { ProgramError } from '../program-error.ts';

/** `skill.json`. */
export interface Manifest {
  readonly yieldVersion: string;
  /** The program and its arguments, started in the folder of the skill. */
  readonly run: readonly string[];
  /** Empty: not said. */
  readonly language: string;
  /** An addition of ours: the file that `build` makes the program of; null: not said. */
  readonly source: string | null;
  /** An addition of ours: what the skill needs as a turn of the platform, as it stands there; undefined: not said. */
  readonly hosted: unknown;
}

/**
 * Reads `skill.json` of a skill. Keys that are not known are left alone.
 * @returns null: there is none
 * @throws ProgramError SKILL_INVALID when it is no manifest, or of another version than this supervisor's
 */
export async function readManifest(_folder: string): Promise<Manifest | null> {
  throw new ProgramError('SKILL_INVALID', 'not there yet');
}

/**
 * How the program of a skill is started: what its manifest says, else `go run .` where there is a `main.go`.
 * @throws ProgramError SKILL_INVALID when there is neither
 */
export async function programCommand(
  _folder: string,
  _manifest: Manifest | null,
  _env: Readonly<Record<string, string | undefined>>,
): Promise<readonly [string, ...string[]]> {
  throw new ProgramError('SKILL_INVALID', 'not there yet');
}
