import type { LoadedConfig } from '@skillyard/runtime';
import type { Surroundings } from '../surroundings.ts';
import { loadCommandConfig } from './load-command-config.ts';

/** The configurations beside skills, each read once. */
export class ConfigsBeside {
  readonly #surroundings: Surroundings;
  readonly #file: string | undefined;
  readonly #byFolder = new Map<string, Promise<LoadedConfig>>();

  /** @param file named by the user: then it is the one of every skill */
  constructor(surroundings: Surroundings, file: string | undefined) {
    this.#surroundings = surroundings;
    this.#file = file;
  }

  /** The configuration of a skill in this folder. @throws SkillyardError CONFIG_INVALID or FILE_UNREADABLE */
  beside(folder: string): Promise<LoadedConfig> {
    let loaded = this.#byFolder.get(folder);
    if (loaded === undefined) {
      loaded = loadCommandConfig(this.#surroundings, { file: this.#file, beside: folder });
      this.#byFolder.set(folder, loaded);
    }
    return loaded;
  }
}
