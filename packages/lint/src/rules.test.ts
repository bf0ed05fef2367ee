import { describe, expect, it } from 'vitest';
import { type Facts, type LintOptions, lintSkill, type RuleId, RULES } from './index.ts';

const FACTS: Facts = {
  serverNames: ['depot', 'kiln'],
  allTools: { depot: ['wash'], kiln: ['fire'] },
  toolSchemas: { 'depot:wash': { type: 'object', required: ['bus'] } },
  builtinTools: ['draw_map'],
  writeServers: ['depot'],
  skillNames: ['lost-and-found'],
};
const OPTIONS: LintOptions = {
  playbookBudget: 60,
  callProtocol: 'use_tool',
  envelopes: [{ server: 'kiln', fields: ['exit', 'out'], payload: 'out' }],
  assets: { codeKinds: ['code'], referenceKinds: ['text'], knownParams: ['lang'], langParam: 'lang' },
  staleApis: [{ pattern: 'old_fetch', what: 'old_fetch', instead: 'depot:wash' }],
  readOnlyRoles: ['watcher'],
  emptyWords: ['blank'],
  freeTextFields: ['note'],
  hostVars: ['input'],
};

/** Line 6 is the first of what follows it. */
const HEADER = `skill_engine_version: "2.5.0"
name: tryout
description: A skill to look at.
trigger_examples: [look]
servers: [depot, kiln]
`;
/** Line 9 is the first of the steps. */
const flow = (...steps: string[]): string =>
  `${HEADER}workflow:\n  tools: [depot, kiln]\n  steps:\n${steps.map((step) => `    - ${step}\n`).join('')}`;
const book = (line: string): string => `${HEADER}playbook: |\n  ${line}\n`;
const withAsset = (asset: string, step: string): string =>
  flow(step).replace('  steps:', `  assets: {plan: ${asset}}\n  steps:`);
const answer = (schema: string, instruction = 'go', variable = 'got'): string =>
  `{name: ask, model: m, save_as: ${variable}, instruction: ${JSON.stringify(instruction)}, response_schema: ${schema}}`;

const GO = '{name: s, instruction: go}';
const KILN = '{name: k, save_as: res, call: {tool: "kiln:fire"}}';
const ID = '{type: object, required: [id], properties: {id: {type: integer}}}';

/** For each rule: a skill where it fires, the place it names, and a skill that is almost the same where it does not. */
const TABLE: readonly (readonly [rule: RuleId, bad: string, place: string, good: string])[] = [
  ['S1', flow(GO).replace('tryout', 'Try Out'), '2:1', flow(GO)],
  ['S3', book('Then old_fetch it.'), '7:8', book('Then fetch it.')],
  ['S5', book('x'.repeat(60)), '6:1', book('x'.repeat(59))],
  ['S6', flow(GO).replace('[look]', '[" "]'), '4:1', flow(GO)],
  ['E1', flow(GO).replace('[depot, kiln]', '[depot, kiln, moon]'), '5:1', flow(GO)],
  [
    'E2',
    book('Do use_tool(server="depot", tool="dry").'),
    '7:6',
    book('Do use_tool(server="depot", tool="wash").'),
  ],
  ['E3', `role: watcher\n${flow(GO)}`, '6:1', `role: driver\n${flow(GO)}`],
  [
    'E4',
    flow('{name: s, delegate: {skill: lost, task: go}}'),
    '9:28',
    flow('{name: s, delegate: {skill: "{{input}}", task: go}}'),
  ],
  ['E5', book('First draw_map(here).'), '7:9', `builtin_tools: [draw_map]\n${book('First draw_map(here).')}`],
  ['W1', flow('{name: s}'), '9:7', flow(GO)],
  ['W2', flow('{name: s, tools: [moon], instruction: go use_tool}'), '9:17', flow(GO)],
  ['W3', flow('{name: s, call: {tool: "depot:dry"}}'), '9:24', flow(KILN)],
  [
    'W4',
    withAsset('{kind: code, content: x, params: {lang: lua}}', '{name: s, instruction: "{{asset:plan}}"}'),
    '10:17',
    withAsset('{kind: text, content: x}', '{name: s, instruction: "{{asset:plan}}"}'),
  ],
  [
    'W5',
    flow('{name: s, call: {tool: "depot:wash", args: {soap: 1}}}'),
    '9:44',
    flow('{name: s, call: {tool: "depot:wash", args: {bus: null}}}'),
  ],
  [
    'W6',
    flow('{for_each: {in: input, as: row, collect: got, steps: [{set: {var: other, value: x}}]}}'),
    '9:39',
    flow(
      '{for_each: {in: input, as: row, collect: got, steps: [{if: {cond: row == x, then: [{set: {var: got, value: x}}]}}]}}',
    ),
  ],
  [
    'W7',
    flow('{name: s, call: {tool: "builtin:draw_map"}}'),
    '9:24',
    `builtin_tools: [draw_map]\n${flow('{name: s, call: {tool: "builtin:draw_map"}}')}`,
  ],
  [
    'W8',
    flow(KILN, '{for_each: {in: res, as: row, steps: [{set: {var: a, value: x}}]}}'),
    '10:19',
    flow(KILN, '{for_each: {in: res.out, as: row, steps: [{set: {var: a, value: x}}]}}'),
  ],
  ['W9', flow(answer('{type: object, properties: {id: {type: integer}}}')), '9:62', flow(answer(ID))],
  [
    'W10',
    flow('{name: s, call: {tool: "kiln:fire", args: {x: [{from: "{{input}}"}]}}}'),
    '9:43',
    flow('{name: s, call: {tool: "kiln:fire", args: {from: "{{input}}", x: {from: "{{input.mem}}"}}}}'),
  ],
  [
    'W11',
    withAsset('{kind: text, content: x, params: {lagn: lua}}', '{name: s, instruction: "{{asset:plan}}"}'),
    '8:18',
    withAsset('{kind: text, content: x, params: {lang: lua}}', '{name: s, instruction: "{{asset:plan}}"}'),
  ],
  [
    'W12',
    flow('{name: s, tools: [depot], instruction: First wash.}'),
    '9:33',
    flow('{name: s, tools: [depot], instruction: First washing.}'),
  ],
  [
    'W13',
    flow(answer('{type: object, required: [a_note], properties: {a_note: {type: string}}}')),
    '9:62',
    flow(answer('{type: object, required: [a_note], properties: {a_note: {type: string, maxLength: 9}}}')),
  ],
  ['W14', flow('{name: s, instruction: "{{inptu}}"}'), '9:17', flow('{name: s, instruction: "{{input}}"}')],
  ['W15', `builtin_tools: [sing]\n${flow(GO)}`, '1:1', `builtin_tools: [draw_map]\n${flow(GO)}`],
  [
    'W16',
    flow(answer(ID, 'id: the number, or blank')),
    '9:84',
    flow(answer(ID, 'Say what id is, or leave a blank line.')),
  ],
  [
    'W17',
    flow('{switch: {var: "{{input}}", cases: {a: []}}}'),
    '9:17',
    flow('{switch: {var: input, cases: {a: []}}}'),
  ],
  [
    'W18',
    flow('{when: "input contains bus | buses", instruction: go}'),
    '9:8',
    flow('{when: "input contains bus | tram", instruction: go}'),
  ],
  [
    'W19',
    flow('{name: s, instruction: "{{asset:plan}}"}'),
    '9:17',
    withAsset('{kind: text, content: x}', '{name: s, instruction: "{{asset:plan}}"}'),
  ],
  [
    'W20',
    withAsset('{kind: text, content: x}', GO),
    '8:18',
    withAsset('{kind: text, content: x}', '{name: s, instruction: "{{asset:plan}}"}'),
  ],
  [
    'W21',
    flow(answer(ID), '{name: s, instruction: "{{got.name}}"}'),
    '10:17',
    flow(answer(ID), '{name: s, instruction: "{{got.id}} {{got.mem}}"}'),
  ],
];

const places = (rule: RuleId, text: string): string[] =>
  lintSkill(text, { facts: FACTS, options: OPTIONS })
    .findings.filter((finding) => finding.rule === rule)
    .map(({ line, column }) => `${line}:${column}`);

describe.each(TABLE)('%s', (rule, bad, place, good) => {
  it('fires where something is wrong', () => {
    expect(places(rule, bad)).toEqual([place]);
  });

  it('is silent where nothing is', () => {
    expect(places(rule, good)).toEqual([]);
  });
});

describe('the list of rules', () => {
  it('has each rule once, and a test for each but the one that says that rules did not run', () => {
    const ids = RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...TABLE.map(([id]) => id), 'X1'].toSorted()).toEqual(ids.toSorted());
  });
});
