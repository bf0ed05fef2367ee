import type { LintFacts } from '@skillyard/contracts';
import { BUILTIN, createSkillFinder, installationFacts, type LoadedConfig } from '@skillyard/runtime';
import type { Surroundings } from '../surroundings.ts';
import type { UnreachedServer } from './live-tools.ts';

/** Where facts come from besides the configuration. */
export interface FactSources {
  /** Of `--facts`: each of them wins over what was found out. */
  readonly given: LintFacts;
  /** `--live`: the tool servers are asked for their tools. */
  readonly live: boolean;
}

/**
 * What is known of the installations that skills are linted for: one per configuration, each looked at once.
 * Nothing is guessed. Without a configuration file nobody knows which servers there are, so nothing is said of them.
 */
export class Installations {
  readonly #sources: FactSources;
  readonly #surroundings: Surroundings;
  readonly #byConfig = new Map<
    string | null,
    Promise<{ facts: LintFacts; unreached: readonly UnreachedServer[] }>
  >();
  readonly #skillNames = new Map<string, Promise<readonly string[]>>();

  constructor(sources: FactSources, surroundings: Surroundings) {
    this.#sources = sources;
    this.#surroundings = surroundings;
  }

  /**
   * The facts for skills of a folder.
   * @throws SkillyardError FILE_UNREADABLE when a folder of skills cannot be read
   */
  async facts(loaded: LoadedConfig, folder: string): Promise<LintFacts> {
    const { facts } = await this.#look(loaded);
    const { given } = this.#sources;
    // Where a delegate step looks as well: docs/cli.md, "run".
    const skillNames = given.skill_names ?? (await this.#names([...(loaded.config.skills ?? []), folder]));
    return { ...facts, skill_names: [...skillNames], ...given };
  }

  /** The servers that could not be asked, of all installations so far. */
  async unreached(): Promise<readonly UnreachedServer[]> {
    const looked = await Promise.all(this.#byConfig.values());
    return looked.flatMap(({ unreached }) => unreached);
  }

  #look(loaded: LoadedConfig): Promise<{ facts: LintFacts; unreached: readonly UnreachedServer[] }> {
    let found = this.#byConfig.get(loaded.file);
    if (found === undefined) {
      found = this.#ask(loaded);
      this.#byConfig.set(loaded.file, found);
    }
    return found;
  }

  async #ask(loaded: LoadedConfig): Promise<{ facts: LintFacts; unreached: readonly UnreachedServer[] }> {
    const servers = this.#sources.live ? Object.keys(loaded.config.servers ?? {}) : [];
    // Loaded when needed: the tool library takes most of the time in which a command starts.
    const { listTools } = await import('./live-tools.ts');
    const { byServer, unreached } = await listTools([...servers, BUILTIN], loaded, this.#surroundings);
    return { facts: installationFacts(loaded.file === null ? null : loaded.config, byServer), unreached };
  }

  #names(folders: readonly string[]): Promise<readonly string[]> {
    const key = folders.join('\0');
    let names = this.#skillNames.get(key);
    if (names === undefined) this.#skillNames.set(key, (names = createSkillFinder(folders).names()));
    return names;
  }
}
