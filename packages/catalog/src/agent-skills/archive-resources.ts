import type { SkillResources } from './agent-skill.ts';
import { cleanPath } from './clean-path.ts';
import { refuseResource } from './folder-resources.ts';

/** The files of a skill in an archive, which were read with it. */
export class ArchiveResources implements SkillResources {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #shown: string;

  /**
   * @param files by their path from the folder of the skill, in the order of the paths
   * @param shown the folder, for people
   */
  constructor(files: ReadonlyMap<string, Uint8Array>, shown: string) {
    this.#files = files;
    this.#shown = shown;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#files.keys()].filter((path) => path !== 'SKILL.md');
  }

  async read(path: string): Promise<Uint8Array> {
    const clean = cleanPath(path);
    if (clean === undefined || clean.startsWith('/')) throw refuseResource(path, this.#shown, 'outside');
    const bytes = this.#files.get(clean);
    if (bytes === undefined) throw refuseResource(path, this.#shown, 'missing');
    return bytes;
  }
}
