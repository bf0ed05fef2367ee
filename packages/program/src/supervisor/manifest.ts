import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { isErrno } from '@skillyard/processes';
import { SUPERVISOR_VERSION } from './supervisor-version.ts';

/** A program and its arguments. */
export type ProgramCommand = readonly [string, ...string[]];

/** `skill.json`. */
export interface Manifest {
  readonly yieldVersion: string;
  /** Started in the folder of the skill. */
  readonly run: ProgramCommand;
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
export async function readManifest(folder: string): Promise<Manifest | null> {
  let text: string;
  try {
    text = await readFile(join(folder, 'skill.json'), 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return null;
    throw error;
  }
  return manifestIn(text);
}

function manifestIn(text: string): Manifest {
  const { version, yield_version, run, language, source, hosted } = objectIn(text);
  if (version !== 1 || typeof yield_version !== 'string' || yield_version === '')
    throw invalid(
      'skill.json version 1 requires a declared Yield version',
      `skill.json begins with {"version": 1, "yield_version": "${SUPERVISOR_VERSION}", ...}`,
    );
  if (yield_version !== SUPERVISOR_VERSION)
    throw invalid(
      `skill requires Yield ${yield_version}, but the running supervisor is Yield ${SUPERVISOR_VERSION}`,
      `if the program keeps to ${SUPERVISOR_VERSION}, say so in skill.json: "yield_version": "${SUPERVISOR_VERSION}"`,
    );
  if (!isCommand(run))
    throw invalid(
      'skill.json must declare a non-empty run command',
      'it is a list of words, such as "run": ["python3", "main.py"]',
    );
  return {
    yieldVersion: yield_version,
    run,
    language: typeof language === 'string' ? language : '',
    source: typeof source === 'string' ? source : null,
    hosted,
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ProgramError('SKILL_INVALID', `skill.json is no JSON: ${why}`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('skill.json must be an object');
  return { ...value };
}

function isCommand(value: unknown): value is [string, ...string[]] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value[0] !== '' &&
    value.every((part) => typeof part === 'string' && !part.includes('\0'))
  );
}

/**
 * How the program of a skill is started: what its manifest says, else `go run .` where there is a `main.go`.
 * @throws ProgramError SKILL_INVALID when there is neither
 */
export async function programCommand(
  folder: string,
  manifest: Manifest | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramCommand> {
  if (manifest !== null) {
    const [first, ...args] = manifest.run;
    const isPython = manifest.language === 'python' && /^python3?$/.test(first);
    return [(isPython && env['YIELD_PYTHON']) || first, ...args];
  }
  if (await isThere(join(folder, 'main.go'))) return ['go', 'run', '.'];
  throw invalid(
    `cannot determine how to run the skill in ${folder}: add skill.json with {"run": [...]} or a main.go`,
    '`skillyard program init` writes a skill to begin with',
  );
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

function invalid(message: string, hint?: string): ProgramError {
  return new ProgramError('SKILL_INVALID', message, { ...(hint !== undefined && { hint }) });
}
