import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lintSkill, RULES } from './index.ts';

const name = fc.constantFrom('a', 'b', 'input', 'a.b', 'a[0]', '{{a}}', '', 'constructor', '__proto__', 'ж');
const text = fc.oneof(
  name,
  fc.constantFrom(
    '{{a}} {{ b.c }} {{asset:a}}',
    'use_tool(server="a", tool="b")',
    'a: x, or blank',
    '{{a',
    '}}',
  ),
  fc.string({ maxLength: 12 }),
);
const condition = fc.constantFrom('a is empty', 'a.b contains x | xy | "x"', 'a > b', 'a == b', '{{a}}', 'a');
const schema = fc.jsonValue({ maxDepth: 3 });

const { step } = fc.letrec<{ step: unknown }>((tie) => {
  const steps = fc.array(tie('step'), { maxLength: 3, depthIdentifier: 'step' });
  const kinds = {
    instruction: fc.record(
      {
        name,
        instruction: text,
        save_as: name,
        model: name,
        tools: fc.array(name),
        response_schema: schema,
        when: condition,
      },
      { requiredKeys: ['instruction'] },
    ),
    call: fc.record(
      {
        name,
        save_as: name,
        on_server: name,
        call: fc.record({
          tool: fc.tuple(name, name).map((both) => both.join(':')),
          args: fc.dictionary(name, schema),
        }),
      },
      { requiredKeys: ['call'] },
    ),
    set: fc.record({ set: fc.record({ var: name, value: text }) }),
    delegate: fc.record({ delegate: fc.record({ skill: name, task: text }) }),
    branch: fc.record({ if: fc.record({ cond: condition, then: steps }) }),
    choice: fc.record({ switch: fc.record({ var: name, cases: fc.dictionary(name, steps) }) }),
    loop: fc.record({ for_each: fc.record({ in: name, as: name, collect: name, steps }) }),
    fork: fc.record({ parallel: fc.record({ collect: name, branches: fc.array(steps, { maxLength: 3 }) }) }),
  };
  return { step: fc.oneof({ depthIdentifier: 'step' }, ...Object.values(kinds)) };
});
const skill = fc.record(
  {
    skill_engine_version: fc.constantFrom('2.5.0', '2.0.0', '1.0.0'),
    name: fc.constantFrom('tryout', 'Try'),
    description: text,
    servers: fc.array(name),
    builtin_tools: fc.array(name),
    role: name,
    playbook: text,
    workflow: fc.record(
      {
        tools: fc.array(name),
        assets: fc.dictionary(name, fc.record({ kind: name, content: text, params: schema })),
        steps: fc.array(step, { maxLength: 4 }),
      },
      { requiredKeys: ['steps'] },
    ),
  },
  { requiredKeys: ['skill_engine_version', 'name', 'description'] },
);
const input = fc.record(
  {
    facts: fc.record(
      {
        serverNames: fc.array(name),
        allTools: fc.dictionary(name, fc.array(name)),
        toolSchemas: fc.dictionary(text, fc.dictionary(name, schema) as fc.Arbitrary<Record<string, never>>),
        builtinTools: fc.array(name),
        writeServers: fc.array(name),
        skillNames: fc.array(name),
      },
      { requiredKeys: [] },
    ),
    options: fc.record(
      {
        playbookBudget: fc.integer(),
        callProtocol: name,
        envelopes: fc.array(fc.record({ server: name, fields: fc.array(name), payload: name })),
        assets: fc.record(
          { codeKinds: fc.array(name), knownParams: fc.array(name), langParam: name },
          { requiredKeys: [] },
        ),
        readOnlyRoles: fc.array(name),
        emptyWords: fc.array(text),
        freeTextFields: fc.array(text),
        hostVars: fc.array(name),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const IDS = new Set<string>(RULES.map(({ id }) => id));

function check(file: string, given: Parameters<typeof lintSkill>[1]): void {
  const { findings, skipped } = lintSkill(file, given);
  const lines = file.split('\n');
  for (const { rule, line, column, message, hint } of findings) {
    expect(IDS.has(rule) && message !== '' && hint !== '').toBe(true);
    expect(column).toBeGreaterThan(0);
    expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
  }
  const order = findings.map(({ line, column }) => line * 1e7 + column);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(findings.filter(({ rule }) => rule === 'X1')).toHaveLength(skipped.length);
  expect(lintSkill(file, given)).toEqual({ findings, skipped });
}

describe('lintSkill', () => {
  it('answers whatever the skill and whatever is known, always the same, with places inside the file', () => {
    // JSON is YAML.
    fc.assert(
      fc.property(skill, input, (value, given) => check(JSON.stringify(value, null, 1), given)),
      { numRuns: 150 },
    );
  });

  it('answers for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => check(value, {})));
  });
});
