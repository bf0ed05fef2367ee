/** The YAML in README.md and docs/*.md loads: what a reader copies has to work. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SKILL_SCHEMAS } from '@skillyard/contracts';
import { loadSkill } from '@skillyard/engine';
import { loadConfig } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';
import { ROOT } from './run-example.ts';

interface Block {
  readonly place: string;
  readonly text: string;
}

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const blocks = pages.flatMap((page) => blocksOf(page));

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return { place: `${page}:${line}`, text: match[1] ?? '' };
  });
}

/** A whole skill out of a part of one: a workflow, or a list of steps. */
function wholeSkill(text: string, version: string): string | null {
  const body = text.replace(/^# format 2\.5\.0\n/, '');
  const head = `skill_engine_version: "${version}"\nname: part\ndescription: A part of a skill.\n`;
  if (/^(# .*\n)*skill_engine_version:/.test(body)) return body;
  if (body.startsWith('workflow:')) return head + body;
  if (body.startsWith('- ')) return `${head}workflow:\n  steps:\n${body.replaceAll(/^(?=.)/gm, '    ')}`;
  return null;
}

/** The steps of a skill without where they stand. */
function stepsOf(text: string): unknown {
  const loaded = loadSkill(text);
  const noPlaces = (key: string, value: unknown): unknown =>
    key === 'position' || key === 'keys' ? undefined : value;
  return JSON.parse(JSON.stringify(loaded.skill?.workflow?.steps ?? loaded.diagnostics, noPlaces));
}

const skills = blocks.filter(({ text }) => wholeSkill(text, '2.4.0') !== null);
// The policy of docs/access.md is tried beside its loader.
const configs = blocks.filter(({ text }) => wholeSkill(text, '2.4.0') === null && !text.startsWith('roles:'));

describe('YAML of the documentation', () => {
  it('is found', () => expect(skills.length).toBeGreaterThan(10));

  it.each(skills)('loads as a skill: $place', ({ place, text }) => {
    const isNew = text.startsWith('# format 2.5.0');
    const loaded = loadSkill(wholeSkill(text, isNew ? '2.5.0' : '2.4.0') ?? '', { file: place });
    expect(loaded.diagnostics).toEqual([]);
    // What is marked as new needs the new version.
    if (isNew) expect(loadSkill(wholeSkill(text, '2.4.0') ?? '').skill).toBeNull();
  });

  it.each(configs)('loads as a configuration: $place', async ({ text }) => {
    const folder = mkdtempSync(join(tmpdir(), 'skillyard-docs-'));
    try {
      writeFileSync(join(folder, 'skillyard.yaml'), text);
      await expect(loadConfig({ cwd: folder, env: {} })).resolves.toMatchObject({ baseDir: folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of the README is the example it names, without comments', () => {
    const shown = skills.find(({ text }) => text.includes('name: apiary-check'));
    const example = readFileSync(join(ROOT, 'examples/apiary-check/skill.yaml'), 'utf8');
    expect(stepsOf(shown?.text ?? '')).toEqual(stepsOf(example));
  });
});

describe('docs/skill-format.md', () => {
  const text = readFileSync(join(ROOT, 'docs/skill-format.md'), 'utf8');

  it.each([...keysOfSchema(SKILL_SCHEMAS.en)])('explains the key %s', (key) => {
    expect(text).toMatch(new RegExp(`\`[^\`\\n]*\\b${key}\\b[^\`\\n]*\`|^ *(- )?${key}:|[{,] ?${key}:`, 'm'));
  });
});

/** The keys of a skill file, wherever they may stand. */
function keysOfSchema(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value as object)) found.add(name);
    keysOfSchema(value, found);
  }
  return found;
}

describe('links of the documentation', () => {
  const docs = [
    ...pages,
    'ARCHITECTURE.md',
    ...readdirSync(join(ROOT, 'docs/adr')).map((name) => `docs/adr/${name}`),
  ];
  const links = docs.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((match) => ({
      page,
      target: match[1] ?? '',
    })),
  );

  it.each(links)('$page links to $target, which is there', ({ page, target }) => {
    expect(existsSync(join(ROOT, dirname(page), target))).toBe(true);
  });
});

describe('files that ARCHITECTURE.md names', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const named = [
    ...new Set([...text.matchAll(/`([a-z0-9/.-]+\.(?:ts|mjs|md))`/g)].map((match) => match[1] ?? '')),
  ];
  const all = ['packages', 'services', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => `${folder}/${path}`),
  );

  it.each(named)('%s is there', (name) => {
    expect(all.some((path) => path === name || path.endsWith(`/${name}`))).toBe(true);
  });
});
