import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSkill } from '@skillyard/engine';
import { lintSkill, RULES } from '@skillyard/lint';
import { linterOptions, loadConfig } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';
import { HANDBOOK_INDEX, HANDBOOK_PAGES } from '../src/handbook/pages.generated.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/handbook/', import.meta.url));
const TOPICS = HANDBOOK_PAGES.map(({ topic }) => topic);

/** How the forms are written. */
const WORDS = linterOptions({
  assets: { code_kinds: ['code'], reference_kinds: ['text'], known_params: ['lang'], lang_param: 'lang' },
  empty_words: ['empty', 'blank', 'if any'],
  free_text_fields: ['note', 'text', 'supplier', 'number'],
});

/** The YAML of a page: whole skills, and configurations. */
function formsOf(text: string): string[] {
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
}
const forms = HANDBOOK_PAGES.flatMap(({ topic, text }) =>
  formsOf(text).map((form, index) => ({ place: `${topic}.md (${index + 1})`, form })),
);
const isSkill = ({ form }: { form: string }): boolean => form.startsWith('skill_engine_version:');

describe('the handbook', () => {
  it('has the pages of its folder, each with a line in the index', () => {
    const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
    expect(TOPICS.map((topic) => `${topic}.md`).toSorted()).toEqual(files.toSorted());
    for (const topic of TOPICS)
      expect(HANDBOOK_INDEX).toMatch(new RegExp(`^- \\[${topic}\\]\\(${topic}\\.md\\): `, 'm'));
  });

  it.each(HANDBOOK_PAGES)(
    '$topic opens with a whole skill, then says what goes wrong and how it shows',
    ({ title, text }) => {
      expect(text.startsWith(`# ${title}\n\n\`\`\`yaml\nskill_engine_version: `)).toBe(true);
      expect([...text.matchAll(/^## (.+)/gm)].map((match) => match[1])).toEqual([
        'Without it',
        'In the trace',
        'Rules',
      ]);
    },
  );

  it.each(forms.filter(isSkill))('has a form that loads and lints clean: $place', ({ place, form }) => {
    expect(loadSkill(form, { file: place }).diagnostics).toEqual([]);
    const { findings } = lintSkill(form, { file: place, options: WORDS });
    // What is known of an installation is not known here, so rules that need it do not run.
    expect(findings.filter(({ rule }) => rule !== 'X1')).toEqual([]);
  });

  it.each(forms.filter((form) => !isSkill(form)))(
    'has a configuration that loads: $place',
    async ({ form }) => {
      const folder = mkdtempSync(join(tmpdir(), 'skillyard-handbook-'));
      try {
        writeFileSync(join(folder, 'skillyard.yaml'), form);
        await expect(loadConfig({ cwd: folder, env: {} })).resolves.toMatchObject({ baseDir: folder });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it.each(RULES)('has the page "$topic" of $id, and the page names the rule', ({ id, topic }) => {
    expect(TOPICS).toContain(topic);
    const rules = HANDBOOK_PAGES.find((page) => page.topic === topic)?.text.split('\n## Rules\n')[1];
    expect(rules).toContain(`[${id}](../lint/${id}.md)`);
  });

  it.each([...HANDBOOK_PAGES.map(({ text }) => text), HANDBOOK_INDEX])(
    'links to what is there (%#)',
    (text) => {
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
        expect({ target, exists: existsSync(join(FOLDER, target)) }).toEqual({ target, exists: true });
    },
  );
});
