import { SkillyardError, type TurnRadius } from '@skillyard/contracts';
import { boundsRadius, type Program, splitToolRef } from '@skillyard/engine';
import type { StoredSkill } from '../store/skill-version.ts';
import type { ResolvedEntry } from './contributions.ts';
import { type ResolvedTools, resolveTools } from './resolve-tools.ts';
import { readSources, type SourceSkill } from './source-skill.ts';

/** Skills that one skill may include, directly or by others. */
const MAX_INCLUDED = 1000;
/** A turn keeps its radius and tells it: so many bytes of JSON, and no more. */
const MAX_BYTES = 256 * 1024;

/** What is asked of a skill that is included. */
type IncludedSkill = Pick<StoredSkill, 'name' | 'hash' | 'skill'>;

/**
 * Resolves the sources in the header of a skill, for a turn that is about to start.
 * @param program compiled from the skill
 * @param read    finds a skill by name; what it says with SKILL_NOT_FOUND is skipped, and told as missing
 * @returns undefined for a skill without sources
 * @throws SkillyardError INCLUDE_CYCLE; SKILL_INVALID if there is too much of it; what `read` throws else
 */
export async function resolveRadius(
  { name, sources }: Pick<Program, 'name' | 'sources'>,
  read: (name: string) => Promise<IncludedSkill>,
): Promise<TurnRadius | undefined> {
  if (sources === null) return undefined;
  const root = readSources(name, sources.header);
  const included = await readIncludes(root, read);
  const lookup = (include: string): SourceSkill | undefined => {
    const found = included.get(include);
    return found && readSources(found.name, found.skill.sources);
  };
  const resolved = resolveTools(root, lookup);
  const radius: TurnRadius = {
    tools: boundsRadius(sources.header) ? toolsOf(resolved) : null,
    entries: resolved.entries.map(({ name: entry, sourceSkill: skill, origin, overrides }) => ({
      name: entry,
      skill,
      inline: origin.kind === 'inline',
      ...(Object.keys(overrides).length > 0 && { overrides }),
    })),
    included: [...included.values()].flatMap((one) => (one ? [{ name: one.name, hash: one.hash }] : [])),
    missing: [...resolved.missing],
  };
  const bytes = Buffer.byteLength(JSON.stringify(radius));
  if (bytes <= MAX_BYTES) return radius;
  throw tooMuch(name, `come to ${bytes} bytes of tools, and ${MAX_BYTES} are let through`);
}

/** Reads the skills that are included, and those they include. A cycle ends here: each is read once. */
async function readIncludes(
  root: SourceSkill,
  read: (name: string) => Promise<IncludedSkill>,
): Promise<ReadonlyMap<string, IncludedSkill | undefined>> {
  const found = new Map<string, IncludedSkill | undefined>();
  const wanted = new Set(root.includes);
  for (const include of wanted) {
    if (wanted.size > MAX_INCLUDED) {
      throw tooMuch(root.name, `lead to more than ${MAX_INCLUDED} skills`);
    }
    const skill = await readIfThere(include, read);
    found.set(include, skill);
    if (skill === undefined) continue;
    for (const further of readSources(skill.name, skill.skill.sources).includes) wanted.add(further);
  }
  return found;
}

async function readIfThere(
  name: string,
  read: (name: string) => Promise<IncludedSkill>,
): Promise<IncludedSkill | undefined> {
  try {
    return await read(name);
  } catch (error) {
    if (SkillyardError.is(error, 'SKILL_NOT_FOUND')) return undefined;
    throw error;
  }
}

/** What the entries let a turn reach. Tools defined in a file and folders of prose have no server. */
function toolsOf({ entries, wholeServers }: ResolvedTools): string[] {
  const whole = new Set(wholeServers);
  const tools = entries
    .flatMap((entry) => toolOf(entry) ?? [])
    .filter(({ server }) => !whole.has(server))
    .map(({ server, tool }) => `${server}:${tool}`);
  return [...new Set([...tools, ...whole])];
}

function toolOf({ name, origin }: ResolvedEntry): { server: string; tool: string } | undefined {
  if (origin.kind === 'mcp') return origin;
  if (origin.kind !== 'tool_ref') return undefined;
  // The name of a ref may be the key of an MCP tool, and is the same tool then.
  const mcp = /^mcp:(?<server>[^/]*)\/(?<tool>.*)$/s.exec(name)?.groups;
  if (mcp !== undefined) return { server: mcp['server'] ?? '', tool: mcp['tool'] ?? '' };
  return splitToolRef(name) ?? { server: 'builtin', tool: name };
}

function tooMuch(name: string, what: string): SkillyardError {
  const message = `the sources of the skill "${name}" ${what}; include less`;
  return new SkillyardError('SKILL_INVALID', message, { details: { skill: name } });
}
