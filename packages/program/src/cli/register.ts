import { resolve } from 'node:path';
import { adapterSource, planAdapters, writeAdapter } from '../adapters/adapters.ts';
import { chooseAgents } from '../adapters/agents.ts';
import { repositoryRoot } from '../adapters/repository.ts';
import { oneFolder } from './one-folder.ts';
import type { Verb } from './verb.ts';

export const registerVerb: Verb = {
  name: 'register',
  usage: '<skill folder> [--agent <a,b>|auto] [--root <folder>]',
  summary: 'let coding agents find a skill: writes an adapter where each of them looks',
  flags: { agent: 'text', root: 'text' },
  async run(call) {
    const { flags, io } = call;
    const folder = oneFolder('register', call);
    const root = repositoryRoot(folder, rootFlag(flags.text('root'), io.cwd));
    const agents = chooseAgents(flags.text('agent') ?? 'auto', root, io.env);
    const adapters = await planAdapters(await adapterSource(folder, root), agents, root);
    // Nothing is written unless everything may be.
    for (const adapter of adapters) await writeAdapter(adapter);
    for (const agent of agents) {
      const place = adapters.find((adapter) => adapter.agents.includes(agent))?.place ?? '';
      io.stdout(`registered: ${agent.id.padEnd(22)} ${place}\n`);
      io.stdout(`reload:     ${agent.id.padEnd(22)} ${agent.reload}\n`);
    }
    return 0;
  },
};

/** The root that was named, seen from where the command was typed. */
export function rootFlag(given: string | undefined, cwd: string): string | undefined {
  return given === undefined ? undefined : resolve(cwd, given);
}
