import { isAbsolute, relative, resolve } from 'node:path';
import { readRegularFile } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';

/**
 * Reads a UTF-8 text file named by the user.
 * @param what  what the file is, for messages: `skill`, `input`
 * @param limit most bytes it may have
 * @param byteOrderMark `kept` for those who write the text back; else it is left out
 * @throws SkillyardError FILE_UNREADABLE, or `tooLarge` beyond the limit
 */
export async function readTextFile(
  file: string,
  options: {
    cwd: string;
    what: string;
    limit: number;
    tooLarge: 'SKILL_TOO_LARGE' | 'INPUT_INVALID';
    byteOrderMark?: 'kept';
  },
): Promise<string> {
  const { cwd, what, limit, tooLarge } = options;
  const shown = displayPath(file, cwd);
  try {
    const found = await readRegularFile(resolve(cwd, file), limit);
    if (found.kind === 'folder') throw unreadable(what, shown, 'it is a folder', 'name a file in it');
    if (found.kind === 'irregular') throw unreadable(what, shown, 'it is no regular file', 'name a file');
    if (found.kind === 'too-large') {
      const message = `the ${what} ${shown} has ${found.size}; at most ${limit} are read`;
      const hint =
        tooLarge === 'SKILL_TOO_LARGE' ? 'move large texts into assets with `ref`' : 'pass a smaller file';
      throw new SkillyardError(tooLarge, `${message}; ${hint}`, { details: { file: shown } });
    }
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: options.byteOrderMark === 'kept' });
    return decoder.decode(found.bytes);
  } catch (error) {
    if (SkillyardError.is(error)) throw error;
    if (error instanceof TypeError)
      throw unreadable(what, shown, 'it is not UTF-8 text', 'save it as UTF-8', error);
    throw unreadable(what, shown, reasonOf(error), 'check the path', error);
  }
}

/** As short as it is clear: relative inside the working directory, absolute outside. */
export function displayPath(file: string, cwd: string): string {
  const full = resolve(cwd, file);
  const near = relative(cwd, full);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? full : near;
}

function unreadable(
  what: string,
  file: string,
  reason: string,
  hint: string,
  cause?: unknown,
): SkillyardError {
  return new SkillyardError('FILE_UNREADABLE', `the ${what} ${file} cannot be read: ${reason}; ${hint}`, {
    details: { file },
    ...(cause !== undefined && { cause }),
  });
}

/** Why a file cannot be opened, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file or folder';
  if (code === 'ENOTDIR') return 'part of its path is no folder';
  if (code === 'ELOOP') return 'the link leads back to itself';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return error instanceof Error ? error.message : String(error);
}
