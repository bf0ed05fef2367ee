import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type AgentSkill, type AgentSkills, loadAgentSkills } from '@skillyard/catalog';
import { type AgentSkillsConfig, SkillyardError } from '@skillyard/contracts';
import { isRecord } from '../is-record.ts';
import type { AgentSkillsCase } from './agent-skills-case.ts';

/** A case of the loader: a configuration, and what its queries give. */
export interface LoadFile {
  readonly note?: string;
  readonly home: string;
  readonly cwd: string;
  readonly client: string;
  readonly config: AgentSkillsConfig;
  /** Links by their path, for copies that have lost them. */
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly expected:
    | { readonly error: true }
    | { readonly client: string; readonly agents: unknown; readonly queries: readonly Query[] };
}

interface Query {
  readonly agent: string;
  readonly tags: readonly string[] | null;
  readonly skills: unknown;
}

/** The case of a folder whose `expected.json` this is. */
export function loadCase(one: LoadFile, folder: string): AgentSkillsCase {
  const { expected, note } = one;
  const id = basename(folder);
  const wanted = 'error' in expected ? { error: true } : nullForEmpty(expected);
  const queries = 'error' in expected ? [] : expected.queries;
  return {
    id,
    op: 'load',
    title: note ?? id,
    expected: wanted,
    run: () =>
      withLinks(folder, one.symlinks ?? {}, async (copy) => {
        const place = (path: string): string => path.replace('<case>', copy);
        try {
          const loaded = await loadAgentSkills(one.config, {
            cwd: place(one.cwd),
            home: place(one.home),
            client: one.client,
          });
          return nullForEmpty(await answersOf(loaded, queries));
        } catch (error) {
          if (SkillyardError.is(error)) return { error: true };
          throw error;
        }
      }),
  };
}

async function answersOf(loaded: AgentSkills, queries: readonly Query[]): Promise<unknown> {
  return {
    client: loaded.clientName,
    agents: loaded.agents(),
    queries: await Promise.all(
      queries.map(async ({ agent, tags }) => ({
        agent,
        tags,
        skills: await Promise.all(loaded.skills(agent, ...(tags ?? [])).map(describeSkill)),
      })),
    ),
  };
}

async function describeSkill(skill: AgentSkill): Promise<unknown> {
  const { name, description, allowedTools, agents, tags, metadata, body, location, resources } = skill;
  return {
    name,
    description,
    allowed_tools: allowedTools,
    agents,
    tags,
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    body,
    location,
    resources: await resources.list(),
  };
}

/** Works in a copy where the links of a case are links again; without links, in the case itself. */
async function withLinks<T>(
  folder: string,
  links: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (Object.keys(links).length === 0) return work(folder);
  const copy = await mkdtemp(join(tmpdir(), 'skillyard-case-'));
  try {
    await cp(folder, copy, { recursive: true, verbatimSymlinks: true });
    for (const [path, target] of Object.entries(links)) {
      await rm(join(copy, path), { recursive: true, force: true });
      await symlink(target, join(copy, path));
    }
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Cases write null for a list without members as well. */
function nullForEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(nullForEmpty);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nullForEmpty(inner)]));
}
