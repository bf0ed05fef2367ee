import { randomUUID } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';

/**
 * Gives a file another text in one piece: whoever reads it finds the old text or the new one, even if we die half-way.
 * It keeps its permissions.
 * @param path  absolute, of a file that exists and is no symbolic link
 * @param shown the name for messages
 * @throws SkillyardError FILE_UNWRITABLE
 */
export async function replaceFile(path: string, text: string, shown: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const { mode } = await stat(path);
    // Only the owner sees it while it is written; `wx` follows no link that somebody put there.
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode & 0o7777);
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
