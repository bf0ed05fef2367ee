import { randomUUID } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { isMissing } from '../agent-skills/inside-folder.ts';

/**
 * Gives a file another text in one piece: whoever reads it finds the old text or the new one, even if we die half-way.
 * It keeps its permissions; one that is not there is made, with the usual ones.
 * @param path  absolute, no symbolic link
 * @param shown the name for messages
 * @throws SkillyardError FILE_UNWRITABLE
 */
export async function replaceFile(path: string, text: string, shown: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const mode = await modeOf(path);
    // Only the owner sees what replaces a file while it is written; `wx` follows no link that somebody put there.
    const handle = await open(draft, 'wx', mode === undefined ? 0o666 : 0o600);
    try {
      await handle.writeFile(text);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await unlink(draft).catch(() => {});
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${shown} cannot be written: ${reason}; check the permissions of its folder`;
    throw new SkillyardError('FILE_UNWRITABLE', message, { details: { file: shown }, cause });
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    const { mode } = await stat(path);
    return mode & 0o7777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
