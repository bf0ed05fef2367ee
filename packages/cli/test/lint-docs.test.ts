import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LintConfig, type LintFacts } from '@skillyard/contracts';
import { type Finding, lintSkill, RULES } from '@skillyard/lint';
import { linterFacts, linterOptions, loadConfig, parseLintFacts } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../docs/lint/', import.meta.url));
const page = (name: string): string => readFileSync(`${FOLDER}${name}.md`, 'utf8');

/** The text in the first fence of this language below a heading; of the part before all headings for an empty one. */
function fence(text: string, heading: string, language: string): string | undefined {
  const part = text
    .split(/^## /m)
    .find((one, index) => (heading === '' ? index === 0 : one.startsWith(heading)));
  return part?.split(`\n\`\`\`${language}\n`)[1]?.split('\n```')[0];
}

interface Knowledge {
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

const knowledge = (text: string | undefined): Knowledge =>
  text === undefined ? {} : (JSON.parse(text) as Knowledge);
const COMMON = knowledge(fence(page('README'), 'What the examples know', 'json'));

/** Later ones win; what is null there is not known. */
function together(layers: readonly Knowledge[], part: keyof Knowledge): Record<string, unknown> {
  const all: Record<string, unknown> = Object.assign({}, ...layers.map((layer) => layer[part] ?? {}));
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function findingsOf(id: string, heading: 'Bad' | 'Good'): readonly Finding[] {
  const text = page(id);
  const layers = [COMMON, knowledge(fence(text, '', 'json')), knowledge(fence(text, heading, 'json'))];
  const facts: LintFacts = parseLintFacts(JSON.stringify(together(layers, 'facts')), `${id}.md`);
  const options = linterOptions(together(layers, 'options'));
  const skill = fence(text, heading, 'yaml');
  if (skill === undefined) throw new Error(`${id}.md has no example below "${heading}"`);
  return lintSkill(`${skill}\n`, { file: `${id}.yaml`, facts: linterFacts(facts), options }).findings;
}

describe('the pages of the lint rules', () => {
  it('are one for each rule, and none besides', () => {
    const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md');
    expect(pages.toSorted()).toEqual(RULES.map(({ id }) => `${id}.md`).toSorted());
  });

  it('stand in the index with their severity and their title', () => {
    const rows = page('README')
      .split('\n')
      .filter((line) => line.startsWith('| ['));
    const expected = RULES.map(({ id, severity, title }) => `| [${id}](${id}.md) | ${severity} | ${title} |`);
    expect(rows.map((row) => row.split(' |').slice(0, 3).join(' |') + ' |')).toEqual(expected);
  });

  it('show options that the configuration takes, each of them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skillyard-lint-docs-'));
    try {
      writeFileSync(join(folder, 'skillyard.yaml'), fence(page('README'), 'Options', 'yaml') ?? '');
      const { config } = await loadConfig({ cwd: folder, env: {} });
      expect(Object.keys(config.lint ?? {})).toEqual(Object.keys(LintConfig.properties));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(RULES.map((rule) => [rule.id, rule.title] as const))('%s has a page that says: %s', (id, title) => {
    expect(page(id).startsWith(`# ${id}: ${title}\n`)).toBe(true);
  });

  it.each(RULES.map(({ id }) => id))('%s finds something in its bad example, and nothing else does', (id) => {
    expect([...new Set(findingsOf(id, 'Bad').map(({ rule }) => rule))]).toEqual([id]);
  });

  it.each(RULES.map(({ id }) => id))('%s has a good example without findings', (id) => {
    expect(findingsOf(id, 'Good')).toEqual([]);
  });
});
