import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributionsOf, type ResolvedEntry } from './contributions.ts';
import type { MissingInclude } from './include-graph.ts';
import { resolveTools } from './resolve-tools.ts';
import { readSources, type SkillLookup, type SourceSkill } from './source-skill.ts';

/** The specification word for word: every skill is resolved each time it is met, into one ordered collection. */
function literally(root: SourceSkill, lookup: SkillLookup): unknown {
  const entries = new Map<string, ResolvedEntry>();
  const missing: MissingInclude[] = [];
  const visit = (skill: SourceSkill, path: readonly string[]): void => {
    if (path.includes(skill.name)) {
      throw new Error(`Cycle detected in skill includes: ${[...path, skill.name].join(' -> ')}`);
    }
    for (const include of skill.includes) {
      const found = lookup(include);
      if (found === undefined) missing.push({ skill: skill.name, include });
      else visit(found, [...path, skill.name]);
    }
    for (const entry of contributionsOf(skill)) entries.set(entry.name, entry);
  };
  visit(root, []);
  return { entries: [...entries.values()], missing };
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const skill = fc
  .record({
    name,
    includes: fc.array(
      name.map((one) => ({ skill: one })),
      { maxLength: 3 },
    ),
    tool_refs: fc.array(fc.constantFrom('t', 'u', 'v'), { maxLength: 2 }),
    overrides: fc.dictionary(fc.constantFrom('t', 'u'), fc.record({ x: fc.nat(9) }), { maxKeys: 2 }),
    inline_tools: fc.array(fc.constantFrom({}, { name: 't' }, { name: 'w' }), { maxLength: 2 }),
  })
  .map(({ name: own, ...sources }) => readSources(own, sources));

describe('resolveTools', () => {
  it('gives what the specification gives word for word, cycles and aliases included', () => {
    fc.assert(
      fc.property(skill, fc.dictionary(name, skill, { maxKeys: 6 }), (root, skills) => {
        const lookup: SkillLookup = (key) => (Object.hasOwn(skills, key) ? skills[key] : undefined);
        const actual = outcomeOf(() => {
          const { entries, missing } = resolveTools(root, lookup);
          return { entries, missing };
        });
        expect(actual).toEqual(outcomeOf(() => literally(root, lookup)));
      }),
      { numRuns: 3000 },
    );
  });

  it('resolves each skill once where it is included again and again', () => {
    const rungs = 200;
    const lookup: SkillLookup = (key) => {
      const [side, rung] = [key.slice(0, 1), Number(key.slice(1))];
      if (side !== 'm') return readSources(key, { includes: [{ skill: `m${rung + 1}` }], tool_refs: [key] });
      const includes = rung < rungs ? [{ skill: `l${rung}` }, { skill: `r${rung}` }] : [];
      return readSources(key, { includes, tool_refs: [key] });
    };
    const { entries } = resolveTools(readSources('root', { includes: [{ skill: 'm0' }] }), lookup);
    expect(entries).toHaveLength(3 * rungs + 1);
    expect(entries[0]?.name).toBe(`m${rungs}`);
  });

  it('follows includes 20,000 deep', () => {
    const deep = 20_000;
    const lookup: SkillLookup = (key) =>
      Number(key) > deep
        ? undefined
        : readSources(key, { includes: [{ skill: String(Number(key) + 1) }], tool_refs: [key] });
    const resolved = resolveTools(readSources('0', { includes: [{ skill: '1' }] }), lookup);
    expect(resolved.entries.at(0)?.name).toBe(String(deep));
    expect(resolved.entries).toHaveLength(deep);
    expect(resolved.missing).toEqual([{ skill: String(deep), include: String(deep + 1) }]);
  });

  it('ends in the cycle that only another lookup name of a skill leads to', () => {
    const skills: Record<string, SourceSkill> = {
      x: readSources('N', { includes: [{ skill: 'k' }] }),
      y: readSources('N', {}),
      k: readSources('K', { includes: [{ skill: 'y' }] }),
    };
    const root = readSources('R', { includes: [{ skill: 'k' }, { skill: 'x' }] });
    expect(() => resolveTools(root, (key) => skills[key])).toThrow(
      'Cycle detected in skill includes: R -> N -> K -> N',
    );
  });

  it('tells the servers that skills name without tools, each once', () => {
    const sources = [{ server: 'gh' }, { server: 'db', tools: ['query'] }, { server: 'off', tools: [] }];
    const root = readSources('a', { includes: [{ skill: 'b' }], mcp_sources: sources });
    const { wholeServers, included } = resolveTools(root, () => readSources('b', { mcp_sources: sources }));
    expect(wholeServers).toEqual(['gh']);
    expect(included).toEqual(['b']);
  });
});
