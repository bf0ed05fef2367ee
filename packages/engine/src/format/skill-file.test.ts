import { readFileSync } from 'node:fs';
import { SkillFile } from '@skillyard/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Shape } from './field.ts';
import { jsonOf } from './json-of.ts';
import { Lines } from './lines.ts';
import { readYaml } from './read-yaml.ts';
import { Report } from './report.ts';
import * as shapes from './shapes.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const schema = SkillFile as unknown as Schema & { readonly $defs: Readonly<Record<string, Schema>> };

/** Every mapping of the format: its definition in the published schema, and the shape it is read by. */
const MAPPINGS: Readonly<Record<string, Shape>> = {
  workflow: shapes.WORKFLOW,
  asset: shapes.ASSET,
  fetch: shapes.FETCH,
  profile: shapes.PROFILE,
  sampling: shapes.SAMPLING,
  limits: shapes.LIMITS,
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

function keysOf(object: object | undefined): string[] {
  return Object.keys(object ?? {}).toSorted();
}

describe('the published schema of a skill file', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(SkillFile);

  it.each(Object.keys(MAPPINGS))('lists for "%s" exactly the keys that are read', (name) => {
    expect(keysOf(schema.$defs[name]?.properties)).toEqual(keysOf(MAPPINGS[name]));
  });

  it('lists for the file exactly the keys that are read', () => {
    expect(keysOf(schema.properties)).toEqual(keysOf(shapes.SKILL));
  });

  it('defines no mapping that nothing reads', () => {
    const mappings = Object.entries(schema.$defs).filter(
      ([, definition]) => definition.properties !== undefined,
    );
    expect(mappings.map(([name]) => name).toSorted()).toEqual(keysOf(MAPPINGS));
  });

  it('describes every key', () => {
    const definitions = [schema, ...Object.values(schema.$defs)];
    for (const property of definitions.flatMap(({ properties }) => Object.entries(properties ?? {}))) {
      expect(property).toEqual([property[0], expect.objectContaining({ description: expect.any(String) })]);
    }
  });

  const url = new URL('../../../../conformance/validate.json', import.meta.url);
  const cases = JSON.parse(readFileSync(url, 'utf8')) as {
    id: string;
    input: { skill: string };
    expected: { ok: boolean };
  }[];

  it.each(cases.filter(({ expected }) => expected.ok))('accepts $id', ({ input }) => {
    const report = new Report(new Lines(input.skill), undefined);
    const root = readYaml(input.skill, report);
    expect(report.diagnostics).toEqual([]);
    expect(validate(root && jsonOf(root)) ? [] : validate.errors).toEqual([]);
  });

  it('refuses a value of the wrong type', () => {
    const skill = { skill_engine_version: '2.5.0', name: 'a', description: 'd' };
    expect(validate({ ...skill, workflow: { tools: 'mill' } })).toBe(false);
    expect(validate({ ...skill, workflow: { steps: [{ call: { tool: 'a:b', args: [1] } }] } })).toBe(false);
    expect(
      validate({ ...skill, workflow: { steps: [{ if: { cond: 'a == b', then: [{ max_calls: 'x' }] } }] } }),
    ).toBe(false);
    expect(validate({ ...skill, name: 'Not A Name' })).toBe(false);
  });
});
