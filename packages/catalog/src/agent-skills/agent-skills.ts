import type { Diagnostic } from '@skillyard/contracts';
import type { AgentSkill } from './agent-skill.ts';
import { compareBytes } from './byte-order.ts';
import { filterSkills } from './filter-skills.ts';

/** The agent whose skills every agent gets. */
export const DEFAULT_AGENT = 'default';

/** What a loader found. */
export interface LoadedSkills {
  readonly client: string;
  /** Skills by name, by agent. */
  readonly byAgent: ReadonlyMap<string, ReadonlyMap<string, AgentSkill>>;
  readonly shareDefaults: boolean;
  readonly isDisabled: (agent: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly omittedDiagnostics: number;
}

/** The skills that a loader found, by agent. It never changes: load again to see changed files. */
export class AgentSkills {
  /** The client whose skills these are; `default` when none was named. */
  readonly clientName: string;
  /** What was left out and why, and what is odd about the rest. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many diagnostics there would be besides. */
  readonly omittedDiagnostics: number;
  readonly #loaded: LoadedSkills;

  constructor(loaded: LoadedSkills) {
    this.clientName = loaded.client === '' ? DEFAULT_AGENT : loaded.client;
    this.diagnostics = loaded.diagnostics;
    this.omittedDiagnostics = loaded.omittedDiagnostics;
    this.#loaded = loaded;
  }

  /**
   * The skills of an agent, in the byte order of their names: the default ones, those of its own over them. A disabled
   * agent has none.
   * @param agent `''` for the default skills alone
   * @param tags only skills that have all of them
   */
  skills(agent: string, ...tags: readonly string[]): readonly AgentSkill[] {
    const name = agent === '' ? DEFAULT_AGENT : agent;
    const { byAgent, shareDefaults, isDisabled } = this.#loaded;
    if (isDisabled(name)) return [];
    const own = byAgent.get(name) ?? [];
    const all = new Map([...(shareDefaults ? (byAgent.get(DEFAULT_AGENT) ?? []) : []), ...own]);
    const visible = [...all.values()].filter(({ agents }) => agents.length === 0 || agents.includes(name));
    return filterSkills(
      visible.toSorted((a, b) => compareBytes(a.name, b.name)),
      '',
      ...tags,
    );
  }

  /** The agents that own a skill, `default` among them, in the byte order of their names. */
  agents(): readonly string[] {
    const { byAgent } = this.#loaded;
    return [...byAgent.keys()].toSorted(compareBytes);
  }
}
