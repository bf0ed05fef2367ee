import { isAbsolute, join, relative, resolve } from 'node:path';
import type { AgentSkillsConfig } from '@skillyard/contracts';
import { compareBytes } from './byte-order.ts';

/** Where the loader stands. */
export interface LoaderPlace {
  /** What relative paths start at, and the project whose standard folder is looked into. */
  readonly cwd: string;
  /** The home folder of the user. */
  readonly home: string;
  /** With the name of a client, only the standard folders of that client are looked into. */
  readonly client?: string;
}

/** One folder or archive to be searched. */
export interface SearchPath {
  readonly path: string;
  /** For people. */
  readonly shown: string;
  /** The agent whose configuration names it. */
  readonly agent: string | null;
}

/** Every search path in the order in which later ones win: standard folders, general paths, those of the agents. */
export function searchPaths(config: AgentSkillsConfig, place: LoaderPlace): SearchPath[] {
  const { cwd, home, client = '' } = place;
  const standard = client === '' ? join('.agents', 'skills') : join('.agents', `.${client}`, 'skills');
  const found: SearchPath[] = [];
  const add = (path: string, agent: string | null): void => {
    const absolute = resolve(
      cwd,
      path.replace(/^~(?=\/|$)/, () => home),
    );
    found.push({ path: absolute, shown: display(absolute, cwd), agent });
  };
  if (config.enable_standard_paths === true) {
    add(resolve(home, standard), null);
    add(standard, null);
  }
  for (const path of config.paths ?? []) add(path, null);
  const agents = Object.entries(config.agents ?? {}).toSorted(([a], [b]) => compareBytes(a, b));
  for (const [agent, { disabled, paths = [] }] of agents) {
    if (disabled !== true) for (const path of paths) add(path, agent);
  }
  return found;
}

/** As short as it is clear: relative inside the working directory, absolute outside. */
function display(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
}
