import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { AGENT_ROWS } from './agent-rows.ts';

/** A coding agent that finds skills in a folder of the repository. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  /** Where it looks for skills, from the root of the repository. */
  readonly folder: string;
  /** `verified`: tried with that agent, and found by itself. `registry`: known by what it documents. */
  readonly tier: 'verified' | 'registry';
  /** What a person does so that the agent sees a new skill. */
  readonly reload: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** By what a verified agent is known to be in use. */
interface Signs {
  readonly reload: string;
  readonly inRepository: readonly string[];
  /** The variable that names its home folder, and that folder below the home of the user. */
  readonly home: readonly [variable: string | null, folder: string];
  readonly binary: string;
}

const VERIFIED: Readonly<Record<string, Signs>> = {
  'claude-code': {
    reload: 'start a new session',
    inRepository: ['.claude'],
    home: ['CLAUDE_CONFIG_DIR', '.claude'],
    binary: 'claude',
  },
  codex: {
    reload: 'start a new agent session',
    inRepository: ['.agents', '.codex'],
    home: ['CODEX_HOME', '.codex'],
    binary: 'codex',
  },
  cursor: {
    reload: 'reload the Cursor window or start a new chat',
    inRepository: ['.cursor'],
    home: [null, '.cursor'],
    binary: 'cursor',
  },
};

/** All agents, by their ids. */
export const AGENTS: readonly Agent[] = AGENT_ROWS.map(([id, name, folder]) => {
  const reload = VERIFIED[id]?.reload ?? 'reload the agent or start a new session';
  return { id, name, folder, tier: id in VERIFIED ? 'verified' : 'registry', reload };
});

/**
 * The agents that `--agent` names.
 * @param given ids with commas between them, or `auto`: those that are in use here
 * @param root of the repository
 * @returns each once, sorted by their ids
 * @throws ProgramError USAGE for an unknown id, and when `auto` finds none
 */
export function chooseAgents(given: string, root: string, env: Environment): Agent[] {
  if (given === 'auto') {
    const found = AGENTS.filter((agent) => isInUse(agent, root, env));
    if (found.length > 0) return found;
    throw new ProgramError(
      'USAGE',
      `no agent is in use here; name some with --agent ${Object.keys(VERIFIED).join(',')}`,
    );
  }
  const ids = given.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !AGENTS.some((agent) => agent.id === id));
  if (unknown !== undefined) {
    throw new ProgramError(
      'USAGE',
      `unsupported agent "${unknown}"; run 'skillyard program agents' to list ids`,
    );
  }
  return AGENTS.filter(({ id }) => ids.includes(id));
}

function isInUse({ id }: Agent, root: string, env: Environment): boolean {
  const signs = VERIFIED[id];
  if (signs === undefined) return false;
  const [variable, folder] = signs.home;
  const home = (variable !== null && env[variable]) || join(env['HOME'] ?? homedir(), folder);
  return (
    signs.inRepository.some((name) => existsSync(join(root, name))) ||
    existsSync(home) ||
    isOnPath(signs.binary, env)
  );
}

/** Whether a command of this name would be found. */
export function isOnPath(name: string, env: Environment): boolean {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && isExecutable(join(folder, name)));
}

/** Whether a file is there and may be started. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
