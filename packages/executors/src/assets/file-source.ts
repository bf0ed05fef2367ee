import { SkillyardError } from '@skillyard/contracts';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** An asset goes into prompts and arguments; a file larger than this is a mistake. */
export const MAX_ASSET_BYTES = 1024 * 1024;

const unavailable = (message: string): SkillyardError => new SkillyardError('ASSET_UNAVAILABLE', message);

/**
 * Reads a text file below a root folder.
 *
 * A1 Nothing outside the root is read: not by an absolute path, by `..`, or through a link that leads out. The path
 *    is resolved first and the resolved one is opened, so that a link cannot be changed in between.
 * A2 Only ordinary files of UTF-8 text up to the size limit.
 */
export async function readAssetFile(name: string, root: string, ref: string): Promise<string> {
  const what = `The file of asset "${name}" (${ref})`;
  if (isAbsolute(ref) || isOutside(resolve(root), resolve(root, ref))) {
    throw unavailable(`${what} lies outside the assets' folder. Write a path below it.`);
  }
  const real = await Promise.all([realpath(root), realpath(resolve(root, ref))]).catch((error: unknown) => {
    throw unavailable(
      `${what} cannot be read: ${reason(error)}. Check the path; it starts at the folder ${root}.`,
    );
  });
  if (isOutside(real[0], real[1]))
    throw unavailable(`${what} is a link that leads out of the assets' folder.`);
  return readText(what, real[1]);
}

async function readText(what: string, path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    throw unavailable(`${what} cannot be read: ${reason(error)}.`);
  });
  try {
    const status = await file.stat();
    if (!status.isFile()) throw unavailable(`${what} is no ordinary file.`);
    if (status.size > MAX_ASSET_BYTES) {
      throw unavailable(
        `${what} has ${status.size} bytes; the limit is ${MAX_ASSET_BYTES}. Pass large data by a tool call instead.`,
      );
    }
    const bytes = await file.readFile();
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw unavailable(`${what} is not UTF-8 text.`);
    throw error;
  } finally {
    await file.close();
  }
}

function isOutside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
};

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
