import { existsSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import {
  type Adapter,
  adapterSource,
  obsoleteAdapters,
  planAdapters,
  removeAdapter,
  writeAdapter,
} from '../adapters/adapters.ts';
import { type Agent, chooseAgents } from '../adapters/agents.ts';
import { repositoryRoot } from '../adapters/repository.ts';
import { ProgramError } from '../program-error.ts';
import { rootFlag } from './register.ts';
import type { Verb } from './verb.ts';

/** What is said of an adapter by its state, done and only planned. */
const WORDS = {
  missing: ['added', 'would add'],
  outdated: ['updated', 'would update'],
  current: ['unchanged', 'unchanged'],
} as const;

export const registerAllVerb: Verb = {
  name: 'register-all',
  usage: '<folder of skills> [--agent <a,b>|auto] [--root <folder>] [--dry-run] [--prune]',
  summary: 'register every skill in a folder; --prune removes adapters of skills that are gone',
  flags: { agent: 'text', root: 'text', 'dry-run': 'switch', prune: 'switch' },
  async run({ words, flags, io }) {
    const [word, ...others] = words;
    if (word === undefined || others.length > 0) {
      throw new ProgramError('USAGE', 'register-all takes exactly one folder of skills');
    }
    const folder = resolve(io.cwd, word);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ProgramError('NOT_FOUND', `lstat ${folder}: no such file or directory`);
    }
    const root = repositoryRoot(folder, rootFlag(flags.text('root'), io.cwd));
    const agents = chooseAgents(flags.text('agent') ?? 'auto', root, io.env);
    const { adapters, sources } = await planAll(folder, agents, root);
    const place = relative(root, realpathSync(folder)).split(sep).join('/') || '.';
    const obsolete = flags.on('prune') ? await obsoleteAdapters(place, sources, agents, root) : [];

    const planned = flags.on('dry-run');
    const say = (what: string, { agents: sharing, path }: Pick<Adapter, 'agents' | 'path'>): void => {
      for (const { id } of sharing) io.stdout(`${`${what}:`.padEnd(13)} ${id.padEnd(24)} ${path}\n`);
    };
    for (const adapter of adapters) {
      if (!planned) await writeAdapter(adapter);
      say(WORDS[adapter.state][planned ? 1 : 0], adapter);
    }
    for (const adapter of obsolete) {
      if (!planned) await removeAdapter(adapter.path);
      say(planned ? 'would remove' : 'removed', adapter);
    }
    if (planned) io.stdout('dry-run: no files written\n');
    return 0;
  },
};

/**
 * The adapters of all skills in a folder. One that must not be written is an error before any is.
 * @throws ProgramError SKILL_INVALID
 */
async function planAll(
  folder: string,
  agents: readonly Agent[],
  root: string,
): Promise<{ readonly adapters: readonly Adapter[]; readonly sources: ReadonlySet<string> }> {
  const names = (await readdir(folder)).filter((name) => existsSync(join(folder, name, 'SKILL.md')));
  const adapters: Adapter[] = [];
  const sources = new Set<string>();
  for (const name of names.toSorted()) {
    const skill = await adapterSource(join(folder, name), root);
    sources.add(skill.source);
    adapters.push(...(await planAdapters(skill, agents, root)));
  }
  return { adapters, sources };
}
