import type { AssetJob } from '@skillyard/contracts';
import { readRegularFile } from '@skillyard/catalog';
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { unavailable } from './asset-failure.ts';
import { decodeText, tooLarge } from './bounded-text.ts';
import type { SourceReader } from './source-reader.ts';

/**
 * `source: file`: text files below a root folder.
 *
 * A1 Nothing outside the root is read: not by an absolute path, by `..`, or through a link that leads out. The path
 *    is resolved first and the resolved one is opened, so that a link cannot be changed in between.
 * A2 Only ordinary files of UTF-8 text up to the size limit.
 */
export class FileSource implements SourceReader {
  readonly #root: string;
  readonly #maxBytes: number;

  constructor(root: string, maxBytes: number) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  placeOf(): string {
    return resolve(this.#root);
  }

  async read({ name, asset: { ref } }: AssetJob): Promise<string> {
    const root = this.#root;
    const what = `The file of asset "${name}" (${ref})`;
    if (isAbsolute(ref) || isOutside(resolve(root), resolve(root, ref))) {
      throw unavailable(`${what} lies outside the assets' folder. Write a path below it.`);
    }
    const real = await Promise.all([realpath(root), realpath(resolve(root, ref))]).catch((error: unknown) => {
      throw unavailable(
        `${what} cannot be read: ${reason(error)}. Check the path; it starts at the folder ${root}.`,
        { cause: error },
      );
    });
    if (isOutside(real[0], real[1]))
      throw unavailable(`${what} is a link that leads out of the assets' folder.`);
    return this.#readText(what, real[1]);
  }

  async #readText(what: string, path: string): Promise<string> {
    const found = await readRegularFile(path, this.#maxBytes).catch((error: unknown) => {
      throw unavailable(`${what} cannot be read: ${reason(error)}.`, { cause: error });
    });
    if (found.kind === 'read') return decodeText(what, found.bytes);
    if (found.kind === 'too-large') throw tooLarge(what, found.size, this.#maxBytes);
    throw unavailable(`${what} is no ordinary file.`);
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
  ENOTDIR: 'a part of the path is no folder',
};

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
