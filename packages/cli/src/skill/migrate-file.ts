import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { replaceFile } from '@skillyard/catalog';
import { type Diagnostic, SkillyardError } from '@skillyard/contracts';
import { type MigrationChange, migrateSkill } from '@skillyard/engine';
import { createTwoFilesPatch } from 'diff';
import { readSkillText } from './read-skill.ts';

/** What became of one file, or would become of it. */
export interface FileMigration {
  readonly file: string;
  /** Empty when nothing changes. */
  readonly changes: readonly MigrationChange[];
  /** The changes as a unified diff. */
  readonly diff: string;
  readonly written: boolean;
  /** Why it is left as it is. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Lines around a change that a diff shows. */
const CONTEXT_LINES = 3;

/**
 * Carries one skill file over to the format that loads. What is wrong with it is in the result.
 * @param file   as messages name it
 * @param within the folder that was named, or the file itself: a link may not lead out of it
 * @param mode   `show` leaves the file alone
 */
export async function migrateFile(
  file: string,
  within: { readonly cwd: string; readonly named: string },
  mode: 'show' | 'write',
): Promise<FileMigration> {
  const unchanged: FileMigration = { file, changes: [], diff: '', written: false, diagnostics: [] };
  try {
    const target = await realpathInside(file, within);
    const text = await readSkillText(target, within.cwd, { byteOrderMark: 'kept' });
    const result = migrateSkill(text, { file });
    if (!result.ok) return { ...unchanged, diagnostics: result.diagnostics };
    if (!result.changed) return unchanged;
    if (mode === 'write') await replaceFile(target, result.text, file);
    const diff = createTwoFilesPatch(file, file, text, result.text, '', '', { context: CONTEXT_LINES });
    return { ...unchanged, changes: result.changes, diff, written: mode === 'write' };
  } catch (error) {
    // One file that cannot be read or written is no reason to leave the others.
    if (!SkillyardError.is(error)) throw error;
    const { code, message } = error;
    return { ...unchanged, diagnostics: [{ code, severity: 'error', message, file }] };
  }
}

/** Where the file really is. Somebody who migrates a folder does not expect files elsewhere to change. */
async function realpathInside(
  file: string,
  { cwd, named }: { readonly cwd: string; readonly named: string },
): Promise<string> {
  const path = resolve(cwd, file);
  const root = resolve(cwd, named) === path ? dirname(path) : resolve(cwd, named);
  const [target, folder] = await Promise.all([realpath(path), realpath(root)]).catch((cause: unknown) => {
    const message = `${file} cannot be read: the link leads nowhere; check the path`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file }, cause });
  });
  const way = relative(folder, target);
  if (!way.startsWith('..') && !isAbsolute(way)) return target;
  const message = `${file} is a link to ${target}, outside of ${root}; name that file itself to migrate it`;
  throw new SkillyardError('INPUT_INVALID', message, { details: { file } });
}
