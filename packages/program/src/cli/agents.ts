import { AGENTS } from '../adapters/agents.ts';
import type { Verb } from './verb.ts';

export const agentsVerb: Verb = {
  name: 'agents',
  usage: '',
  summary: 'list the coding agents that a skill can be registered with',
  flags: {},
  async run({ io }) {
    for (const { id, name, tier, folder } of AGENTS) {
      const detection = tier === 'verified' ? 'auto' : 'explicit';
      io.stdout(`${id.padEnd(22)} ${name.padEnd(24)} ${tier.padEnd(10)} ${detection} · ${folder}\n`);
    }
    return 0;
  },
};
