import type { Dirent } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import type { SkillResources } from './agent-skill.ts';
import { cleanPath } from './clean-path.ts';
import { readBounded, type Refusal, resolveInside } from './inside-folder.ts';
import { LIMITS } from './limits.ts';
import { hasUtf8Name, listFolder } from './list-folder.ts';

/** The files of a skill on disk. */
export class FolderResources implements SkillResources {
  readonly #root: string;
  readonly #shown: string;

  /**
   * @param root the folder of the skill, without links in it
   * @param shown the folder, for people
   */
  constructor(root: string, shown: string) {
    this.#root = root;
    this.#shown = shown;
  }

  async list(): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const entry of await this.#entries('')) {
      if (entry.name === 'SKILL.md') continue;
      if (entry.isDirectory()) await this.#listBelow(entry.name, paths);
      else if (await this.#isFile(entry, entry.name)) paths.push(entry.name);
      this.#bound(paths);
    }
    return paths;
  }

  async read(path: string): Promise<Uint8Array> {
    const clean = cleanPath(path);
    if (clean === undefined || path.startsWith('/') || path.includes('\0'))
      throw this.#refuse(path, 'outside');
    const found = await resolveInside(this.#root, clean);
    if (typeof found === 'string') throw this.#refuse(path, found);
    const bytes = await readBounded(this.#root, found.real, LIMITS.resourceBytes);
    if (typeof bytes === 'string') throw this.#refuse(path, bytes);
    return bytes;
  }

  async #listBelow(folder: string, paths: string[]): Promise<void> {
    for (const entry of await this.#entries(folder)) {
      const path = `${folder}/${entry.name}`;
      if (await this.#isFile(entry, path)) paths.push(path);
      this.#bound(paths);
    }
  }

  /** A link counts as the file it leads to, as long as that is in the folder of the skill. */
  async #isFile(entry: Dirent, path: string): Promise<boolean> {
    if (!hasUtf8Name(entry.name)) return false;
    if (entry.isFile()) return true;
    if (!entry.isSymbolicLink()) return false;
    const found = await resolveInside(this.#root, path);
    if (typeof found === 'string') return false;
    return stat(found.real).then(
      (stats) => stats.isFile(),
      () => false,
    );
  }

  async #entries(folder: string): Promise<Dirent[]> {
    const entries = await listFolder(join(this.#root, folder), LIMITS.folderEntries).catch(
      (cause: unknown) => {
        const message = `the folder ${join(this.#shown, folder)} cannot be listed: check that it is still there`;
        throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: this.#shown }, cause });
      },
    );
    if (entries === undefined) throw this.#tooMany(folder, LIMITS.folderEntries);
    return entries;
  }

  #bound(paths: readonly string[]): void {
    if (paths.length > LIMITS.resourceFiles) throw this.#tooMany('', LIMITS.resourceFiles);
  }

  #tooMany(folder: string, max: number): SkillyardError {
    const where = join(this.#shown, folder);
    const message = `${where} holds more than ${max} files, which is more than is listed; move data out of the skill`;
    return new SkillyardError('SKILL_TOO_LARGE', message, { details: { file: where } });
  }

  #refuse(path: string, refusal: Refusal): SkillyardError {
    return refuseResource(path, this.#shown, refusal);
  }
}

const WHY: Readonly<Record<Refusal, string>> = {
  missing: 'there is no such file; use a path that the skill lists',
  outside: 'it leads out of the folder of the skill; use a path below it',
  'no-file': 'it is no file; use a path that the skill lists',
  'too-large': `it is larger than ${LIMITS.resourceBytes} bytes; split it`,
  unreadable: 'it cannot be read; check its permissions',
};

/** The error of a resource that is not read. */
export function refuseResource(path: string, skill: string, refusal: Refusal): SkillyardError {
  const code = refusal === 'too-large' ? 'SKILL_TOO_LARGE' : 'FILE_UNREADABLE';
  const file = JSON.stringify(path.slice(0, 200));
  return new SkillyardError(code, `${file} of the skill in ${skill}: ${WHY[refusal]}`, {
    details: { file: path.slice(0, 200), skill },
  });
}
