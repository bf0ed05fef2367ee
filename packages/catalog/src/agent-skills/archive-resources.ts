import type { SkillResources } from './agent-skill.ts';
import { compareBytes } from './byte-order.ts';
import { cleanPath } from './clean-path.ts';
import { refuseResource } from './folder-resources.ts';
import { SKILL_FILE } from './skill-file.ts';

/** The files of an archive that has been read. */
export interface ArchiveFiles {
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The paths of all of them, in byte order. */
  readonly paths: readonly string[];
}

/** The files of a skill in an archive, which were read with it. */
export class ArchiveResources implements SkillResources {
  readonly #archive: ArchiveFiles;
  readonly #base: string;
  readonly #shown: string;

  /**
   * @param base the folder of the skill in the archive, with a `/` at its end
   * @param shown the folder, for people
   */
  constructor(archive: ArchiveFiles, base: string, shown: string) {
    this.#archive = archive;
    this.#base = base;
    this.#shown = shown;
  }

  async list(): Promise<readonly string[]> {
    const { paths } = this.#archive;
    const found: string[] = [];
    for (let at = firstFrom(paths, this.#base); paths[at]?.startsWith(this.#base) === true; at += 1) {
      found.push((paths[at] ?? '').slice(this.#base.length));
    }
    return found.filter((path) => path !== SKILL_FILE);
  }

  async read(path: string): Promise<Uint8Array> {
    const clean = cleanPath(path);
    if (clean === undefined || clean.startsWith('/')) throw refuseResource(path, this.#shown, 'outside');
    const bytes = this.#archive.contents.get(this.#base + clean);
    if (bytes === undefined) throw refuseResource(path, this.#shown, 'missing');
    return bytes;
  }
}

/** The index of the first of the sorted paths that is not before one. */
function firstFrom(paths: readonly string[], wanted: string): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(paths[middle] ?? '', wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
