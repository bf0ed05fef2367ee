import { readFileSync } from 'node:fs';
import { SKILL_SCHEMAS } from '@skillyard/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonOf } from './json-of.ts';
import { Lines } from './lines.ts';
import { loadSkill } from './load-skill.ts';
import { readYaml } from './read-yaml.ts';
import { Report } from './report.ts';

type Mapping = Record<string, unknown>;

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(SKILL_SCHEMAS.en);

/** Every skill of the recorded cases that loads, as a tree. */
const corpus = ['validate', 'execute', 'lint'].flatMap((name) => {
  const url = new URL(`../../../../conformance/${name}.json`, import.meta.url);
  const cases = JSON.parse(readFileSync(url, 'utf8')) as { input: { skill: string } }[];
  return cases
    .map(({ input }) => input.skill)
    .filter((text) => loadSkill(text).skill !== null)
    .map((text) => parse(text) as Mapping);
});

const VALUES: readonly unknown[] = [
  [null, '', ' ', '\u00a0', '\u0085', '\ufeff', 0, 1, -1, 1.5, 7, true, false, '0', 'A', 'a-', '0x10'],
  [[], [[]], [null], {}, { a: null }, 's:t', ' s : t ', ':t', '{{a}}', 'v2.0.0', '+2.0.0', '2.3.9'],
  ['a == b', 'a > 5', 'a > "5"', 'x.y[0] is  not empty', 'input contains a|b', 'a == b\nc', 'a >= b.c '],
  ['continue', 'skip', 'retry', 'use', 'fail', 'stale', 'abort', 'workflow', 'playbook', '5m', '30', '0s'],
].flat();
const KEYS = `
  instruction profile model response_schema one_of max_calls max_tool_errors tools
  name when save_as on_error on_empty on_empty_value on_empty_retries timeout
  call delegate ask set switch if for_each parallel exit on_server
  temperature reasoning sampling content ref fetch mode playbook disabled meta
  concurrency max_iterations collect cases default options on_timeout on_timeout_value
  limits vars assets profiles steps`
  .trim()
  .split(/\s+/);

function mappingsOf(node: unknown, found: Mapping[] = []): Mapping[] {
  if (typeof node !== 'object' || node === null) return found;
  if (!Array.isArray(node)) found.push(node as Mapping);
  for (const value of Object.values(node)) mappingsOf(value, found);
  return found;
}

it('a skill that loads is valid under the published schema, whatever was changed in it', () => {
  const changed = fc.tuple(
    fc.constantFrom(...corpus),
    fc.nat(),
    fc.option(fc.constantFrom(...KEYS)),
    fc.nat(),
    fc.constantFrom(...VALUES),
  );
  fc.assert(
    fc.property(changed, ([skill, place, newKey, oldKey, value]) => {
      const tree = { ...structuredClone(skill), skill_engine_version: '2.5.0' };
      const mappings = mappingsOf(tree);
      const mapping = mappings[place % mappings.length] ?? {};
      const keys = Object.keys(mapping);
      mapping[newKey ?? keys[oldKey % keys.length] ?? 'name'] = value;
      const text = JSON.stringify(tree);
      if (loadSkill(text).skill === null) return;
      const root = readYaml(text, new Report(new Lines(text), undefined));
      expect(validate(root && jsonOf(root)) ? [] : validate.errors).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});
