import { resolve } from 'node:path';
import { type Diagnostic, SkillyardError } from '@skillyard/contracts';
import { loadSkill, type Skill } from '@skillyard/engine';
import { errorDocument, renderDiagnostic } from '../terminal/render-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { displayPath, readTextFile } from './read-file.ts';

/** A skill that loads, and where it came from. */
export interface SkillSource {
  /** Absolute. */
  readonly path: string;
  /** As messages name it. */
  readonly file: string;
  readonly text: string;
  readonly skill: Skill;
}

/** More than this is no skill; the engine's own limit is the same, but a file need not be read to be refused. */
const MAX_SKILL_BYTES = 1024 * 1024;

/**
 * Reads the text of a skill file.
 * @throws SkillyardError FILE_UNREADABLE or SKILL_TOO_LARGE
 */
export function readSkillText(
  path: string,
  cwd: string,
  options: { byteOrderMark?: 'kept' } = {},
): Promise<string> {
  const limits = { what: 'skill', limit: MAX_SKILL_BYTES, tooLarge: 'SKILL_TOO_LARGE' } as const;
  return readTextFile(path, { cwd, ...limits, ...options });
}

/**
 * Reads a skill file.
 * @returns the skill, or what is wrong with it
 * @throws SkillyardError FILE_UNREADABLE or SKILL_TOO_LARGE
 */
export async function loadSkillFile(
  path: string,
  cwd: string,
): Promise<SkillSource | { readonly diagnostics: readonly Diagnostic[] }> {
  const text = await readSkillText(path, cwd);
  const file = displayPath(path, cwd);
  const loaded = loadSkill(text, { file });
  if (loaded.skill === null) return { diagnostics: loaded.diagnostics };
  return { path: resolve(cwd, path), file, text, skill: loaded.skill };
}

/**
 * Reads a skill that is about to run.
 * @returns null when it is refused; what is wrong has been printed then
 * @throws SkillyardError FILE_UNREADABLE or SKILL_TOO_LARGE
 */
export async function readRunnableSkill(
  path: string,
  terminal: Terminal,
  cwd: string,
): Promise<SkillSource | null> {
  const source = await loadSkillFile(path, cwd);
  if ('diagnostics' in source) {
    printRefusal(source.diagnostics, terminal);
    return null;
  }
  return source;
}

/** Prints why a skill was refused. */
function printRefusal(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  if (terminal.json) {
    const count = diagnostics.length === 1 ? '1 mistake' : `${diagnostics.length} mistakes`;
    const error = new SkillyardError('SKILL_INVALID', `the skill is refused: ${count}`);
    terminal.document({ ...errorDocument(error), diagnostics });
  }
  for (const diagnostic of diagnostics) terminal.err(renderDiagnostic(diagnostic, terminal.colors));
}
