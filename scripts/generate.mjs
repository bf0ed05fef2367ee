// Only TypeScript reaches `dist`, so what is written as YAML and Markdown gets there as generated sources.
// Without arguments it writes them; with --check it only says which are out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** The nesting down to which a mapping gets a line for each of its entries: a change of one key is one line of a diff. */
const OPEN_DEPTH = 4;
/** Up to this many characters it stays on one. */
const SHORT = 100;

const outputs = [schemaSource('en'), schemaSource('ru'), handbookSource()];
const stale = outputs.filter(({ path, text }) => !existsSync(new URL(path, root)) || read(path) !== text);
if (!process.argv.includes('--check')) {
  for (const { path, text } of stale) writeFileSync(new URL(path, root), text);
} else if (stale.length > 0) {
  for (const { path, from } of stale)
    console.error(`${path} is not what ${from} says; run \`npm run generate\``);
  process.exitCode = 1;
}

function schemaSource(language) {
  const from = `packages/contracts/src/skill-schema/skill.${language}.yaml`;
  const literal = print(parse(read(from)), 0);
  return {
    from,
    path: `packages/contracts/src/skill-schema/skill-schema.${language}.generated.ts`,
    text: `${header(from)}import type { SkillSchema } from './skill-schema.ts';

export const SKILL_SCHEMA_${language.toUpperCase()}: SkillSchema = ${literal};
`,
  };
}

/** The pages in the order in which the index links to them. */
function handbookSource() {
  const from = 'docs/handbook/';
  const index = read(`${from}README.md`);
  const listed = [...index.matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, topic]) => topic);
  const found = readdirSync(new URL(from, root))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.slice(0, -3));
  const forgotten = found.filter((topic) => !listed.includes(topic));
  if (forgotten.length > 0) throw new Error(`${from}README.md does not link to ${forgotten.join(', ')}`);
  const pages = listed.map((topic) => {
    const text = read(`${from}${topic}.md`);
    return { topic, title: /^# (.+)/.exec(text)?.[1], text };
  });
  return {
    from,
    path: 'packages/cli/src/handbook/pages.generated.ts',
    text: `${header(from)}import type { HandbookPage } from './handbook-page.ts';

export const HANDBOOK_INDEX = ${JSON.stringify(index)};

export const HANDBOOK_PAGES: readonly HandbookPage[] = ${print(pages, OPEN_DEPTH - 2)};
`,
  };
}

function header(from) {
  return `// Generated from ${from} by \`npm run generate\`; edit there.\n`;
}

function print(value, depth) {
  const line = JSON.stringify(value);
  if (depth >= OPEN_DEPTH || line.length <= SHORT || typeof value !== 'object' || value === null) return line;
  const indent = '  '.repeat(depth);
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(
    ([key, item]) => `${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}${print(item, depth + 1)},\n`,
  );
  return isList ? `[\n${lines.join('')}${indent}]` : `{\n${lines.join('')}${indent}}`;
}
