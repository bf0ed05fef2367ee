import { SkillyardError } from '@skillyard/contracts';
import { compileProgram, loadSkill } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import { skillHash, type StoredSkill } from '../store/skill-version.ts';
import { resolveRadius } from './resolve-radius.ts';

function stored(name: string, header: string): StoredSkill {
  const text = `skill_engine_version: "2.5.0"\nname: ${name}\ndescription: d\n${header}\nworkflow: {steps: [{exit: {}}]}\n`;
  const { skill, diagnostics } = loadSkill(text);
  expect(diagnostics).toEqual([]);
  if (skill === null) throw new Error('did not load');
  return {
    name,
    hash: skillHash(text),
    version: '',
    path: `/${name}.yaml`,
    file: `${name}.yaml`,
    text,
    skill,
  };
}

/** Resolves a skill among others, given as name and header. */
function resolve(header: string, others: Record<string, string> = {}) {
  const skills = new Map(Object.entries(others).map(([name, one]) => [name, stored(name, one)]));
  return resolveRadius(compileProgram(stored('root', header).skill), (name) => {
    const found = skills.get(name);
    if (found !== undefined) return Promise.resolve(found);
    return Promise.reject(new SkillyardError('SKILL_NOT_FOUND', `there is no skill "${name}"`));
  });
}

describe('resolveRadius', () => {
  it('gives nothing for a skill without sources', async () => {
    expect(await resolve('servers: [a]')).toBeUndefined();
    expect(await resolve('overrides: {a: {b: 1}}')).toBeUndefined();
  });

  it('gives what may be reached, where it comes from, and what is missing', async () => {
    const base = 'tool_refs: [memory_read, "gh:search"]\nincludes: [{skill: gone}]';
    const radius = await resolve(
      'includes: [{skill: base}]\ntool_refs: ["gh:search", "mcp:mail/send"]\nmcp_sources: [{server: db}, {server: gh, tools: [issue]}]\noverrides: {"gh:search": {limit: 5}}',
      { base },
    );
    expect(radius).toEqual({
      tools: ['builtin:memory_read', 'gh:search', 'mail:send', 'gh:issue', 'db'],
      entries: [
        { name: 'memory_read', skill: 'base', inline: false },
        { name: 'gh:search', skill: 'root', inline: false, overrides: { limit: 5 } },
        { name: 'mcp:mail/send', skill: 'root', inline: false },
        { name: 'mcp:gh/issue', skill: 'root', inline: false },
      ],
      included: [{ name: 'base', hash: stored('base', base).hash }],
      missing: [{ skill: 'base', include: 'gone' }],
    });
  });

  it('names a server once that some skill takes as a whole', async () => {
    const radius = await resolve('includes: [{skill: a}]\nmcp_sources: [{server: gh, tools: [x]}]', {
      a: 'mcp_sources: [{server: gh}]',
    });
    expect(radius?.tools).toEqual(['gh']);
  });

  it('takes an empty list of tools for none', async () => {
    expect((await resolve('mcp_sources: [{server: gh, tools: []}]'))?.tools).toEqual([]);
  });

  it('bounds nothing where no servers are named', async () => {
    const radius = await resolve('agent_skills: [./a]\ninline_tools: [{name: b}, {}]');
    expect(radius?.tools).toBeNull();
    expect(radius?.entries.map(({ name, inline }) => [name, inline])).toEqual([
      ['b', true],
      ['root/_anon_1', true],
      ['agent_skill:./a', false],
    ]);
  });

  it('refuses skills that include each other with INCLUDE_CYCLE', async () => {
    const others = { a: 'includes: [{skill: b}]', b: 'includes: [{skill: a}]' };
    await expect(resolve('includes: [{skill: a}]', others)).rejects.toMatchObject({
      code: 'INCLUDE_CYCLE',
      message: 'Cycle detected in skill includes: root -> a -> b -> a',
    });
  });

  it('refuses more than 1000 included skills, and more tools than an event should tell', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `{skill: s${index}}`).join(', ');
    await expect(resolve(`includes: [${names}]`)).rejects.toMatchObject({ code: 'SKILL_INVALID' });
    const refs = Array.from({ length: 9000 }, (_, index) => `"gh:tool-${index}"`).join(', ');
    await expect(resolve(`tool_refs: [${refs}]`)).rejects.toMatchObject({ code: 'SKILL_INVALID' });
  });
});
