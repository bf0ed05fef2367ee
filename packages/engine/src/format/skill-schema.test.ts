import { readdirSync, readFileSync } from 'node:fs';
import { SKILL_SCHEMAS, type SkillSchema } from '@skillyard/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Shape } from './field.ts';
import { jsonOf } from './json-of.ts';
import { Lines } from './lines.ts';
import { loadSkill } from './load-skill.ts';
import { readYaml } from './read-yaml.ts';
import { Report } from './report.ts';
import * as shapes from './shapes.ts';

/** Every mapping of the format: its definition in the published schema, and the shape it is read by. */
const MAPPINGS: Readonly<Record<string, Shape>> = {
  workflow: shapes.WORKFLOW,
  asset: shapes.ASSET,
  fetch: shapes.FETCH,
  profile: shapes.PROFILE,
  sampling: shapes.SAMPLING,
  limits: shapes.LIMITS,
  code: shapes.CODE,
  step: shapes.STEP,
  call: shapes.CALL,
  delegate: shapes.DELEGATE,
  ask: shapes.ASK,
  askOption: shapes.ASK_OPTION,
  set: shapes.SET,
  switch: shapes.SWITCH,
  if: shapes.IF,
  forEach: shapes.FOR_EACH,
  parallel: shapes.PARALLEL,
  exit: shapes.EXIT,
  include: shapes.INCLUDE,
  inlineTool: shapes.INLINE_TOOL,
  mcpSource: shapes.MCP_SOURCE,
};

/** What the schema lets through and the validator refuses, and why no schema can do better. */
const BEYOND_A_SCHEMA: Readonly<Record<string, string>> = {
  'val-on-empty-twice-differs': 'a schema cannot compare two values',
  'val-save-as-twice-nested': 'a schema cannot compare two values',
  'val-profile-unknown': 'a schema cannot look a name up in another place',
  'val-on-empty-retry-from-step': 'keys beside a call are legal, and folded into it before they are judged',
  'val-call-on-empty-value-no-use': 'the policy may stand on the step and its value inside the call',
};

const ROOT = new URL('../../../../', import.meta.url);
const url = new URL('conformance/validate.json', ROOT);
const cases = JSON.parse(readFileSync(url, 'utf8')) as {
  id: string;
  input: { skill: string };
  expected: { ok: boolean };
}[];
const skill = { skill_engine_version: '2.5.0', name: 'a', description: 'd' };

function keysOf(object: object | undefined): string[] {
  return Object.keys(object ?? {}).toSorted();
}

/** The texts of `title` and `description` taken out; `properties` may have keys of these names. */
function structureOf(schema: unknown, parent = ''): unknown {
  if (Array.isArray(schema)) return schema.map((item) => structureOf(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    const isText = parent !== 'properties' && ['title', 'description'].includes(key);
    return [key, isText ? 'a text' : structureOf(value, key)];
  });
  return Object.fromEntries(entries);
}

describe.each(['en', 'ru'] as const)('the published schema of a skill file (%s)', (language) => {
  const schema = SKILL_SCHEMAS[language];
  // Definitions without a description are values and parts of rules.
  const mappings = Object.entries(schema.$defs ?? {}).filter(
    ([, { properties, description }]) => properties !== undefined && description !== undefined,
  );
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

  /** What the schema has against a skill file; YAML that cannot be read is refused before it is asked. */
  function problemsOf(text: string): unknown[] {
    const report = new Report(new Lines(text), undefined);
    const root = readYaml(text, report);
    if (root === undefined || report.diagnostics.length > 0) return [...report.diagnostics];
    return validate(jsonOf(root)) ? [] : (validate.errors ?? []);
  }

  it.each(Object.keys(MAPPINGS))('lists for "%s" exactly the keys that are read', (name) => {
    expect(keysOf(schema.$defs?.[name]?.properties)).toEqual(keysOf(MAPPINGS[name]));
  });

  it('lists for the file exactly the keys that are read', () => {
    expect(keysOf(schema.properties)).toEqual(keysOf(shapes.SKILL));
  });

  it('defines no mapping that nothing reads', () => {
    expect(mappings.map(([name]) => name).toSorted()).toEqual(keysOf(MAPPINGS));
  });

  it('describes every key', () => {
    const described: SkillSchema[] = [schema, ...mappings.map(([, definition]) => definition)];
    for (const property of described.flatMap(({ properties }) => Object.entries(properties ?? {}))) {
      expect(property).toEqual([property[0], expect.objectContaining({ description: expect.any(String) })]);
    }
  });

  it.each(cases.filter(({ expected }) => expected.ok))('accepts $id', ({ input }) => {
    expect(problemsOf(input.skill)).toEqual([]);
  });

  it.each([...exampleSkills(), ...handbookForms()])('accepts $place', ({ text }) => {
    expect(loadSkill(text).diagnostics).toEqual([]);
    expect(problemsOf(text)).toEqual([]);
  });

  it('refuses 98 of the 103 refused cases, and lets the rest through for a reason', () => {
    const refused = cases.filter(({ expected }) => !expected.ok);
    const through = refused.filter(({ input }) => problemsOf(input.skill).length === 0).map(({ id }) => id);
    expect(through.toSorted()).toEqual(keysOf(BEYOND_A_SCHEMA));
    expect(refused.length).toBe(103);
  });

  it('refuses a value of the wrong type', () => {
    expect(validate({ ...skill, playbook: 'Sing.' })).toBe(true);
    expect(validate({ ...skill, playbook: 'Sing.', workflow: { tools: 'mill' } })).toBe(false);
    for (const step of [
      { call: { tool: 'a:b', args: [1] } },
      { if: { cond: 'a == b', then: [{ max_calls: 'x' }] } },
      { instruction: 'Sing.', max_calls: -1 },
      { instruction: 'Sing.', set: { var: 'a' } },
      {},
    ])
      expect(validate({ ...skill, workflow: { steps: [step] } })).toBe(false);
    expect(validate({ ...skill, playbook: 'Sing.', name: 'Not A Name' })).toBe(false);
  });
});

describe('the schema in two languages', () => {
  it('differs in titles and descriptions only', () => {
    expect(structureOf(SKILL_SCHEMAS.ru)).toEqual(structureOf(SKILL_SCHEMAS.en));
  });

  it('is in Russian where it is', () => {
    const texts = (node: unknown, found: string[] = []): string[] => {
      if (typeof node !== 'object' || node === null) return found;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'description' && typeof value === 'string') found.push(value);
        else texts(value, found);
      }
      return found;
    };
    for (const text of texts(SKILL_SCHEMAS.ru)) expect(text).toMatch(/[а-яё]{3}/i);
    for (const text of texts(SKILL_SCHEMAS.en)) expect(text).not.toMatch(/[а-яё]/i);
  });
});

describe('a skill file that names its schema for editors', () => {
  const text = 'skill_engine_version: "2.0.0"\nname: porch\ndescription: d\nplaybook: Look at the clock.\n';

  it.each([
    '# yaml-language-server: $schema=./skill.schema.json\n',
    '$schema: ./skill.schema.json\n',
    '"$schema": "./skill.schema.json"\n',
  ])('loads without complaint: %s', (head) => {
    expect(loadSkill(head + text)).toMatchObject({ skill: { name: 'porch' }, diagnostics: [] });
  });
});

interface Place {
  readonly place: string;
  readonly text: string;
}

function filesBelow(folder: string, extension: string): Place[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => ({
      place: `${folder}/${name}`,
      text: readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8'),
    }));
}

function exampleSkills(): Place[] {
  return filesBelow('examples', '.yaml').filter(({ text }) => /^skill_engine_version:/m.test(text));
}

function handbookForms(): Place[] {
  return filesBelow('docs/handbook', '.md').flatMap(({ place, text: page }) => {
    const forms = page.matchAll(/^```yaml\n(skill_engine_version:[\s\S]*?)^```$/gm);
    return [...forms].map((match) => ({ place, text: match[1] ?? '' }));
  });
}
