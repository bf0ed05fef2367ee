import { describe, expect, it } from 'vitest';
import { type LintInput, lintSkill } from './index.ts';

const HEADER = `skill_engine_version: "2.5.0"
name: tryout
description: A skill to look at.
trigger_examples: [look]
`;
const flow = (...steps: string[]): string =>
  `${HEADER}workflow:\n  tools: []\n  steps:\n${steps.map((step) => `    - ${step}\n`).join('')}`;
const said = (text: string, input: LintInput = {}): string[] =>
  lintSkill(text, input).findings.map(({ rule, message }) =>
    rule === 'X1' ? message.slice(0, 3).trim() : rule,
  );
const schemaStep = (schema: string): string =>
  `{name: ask, model: m, save_as: got, instruction: go, response_schema: ${schema}}`;
const WORDS = { options: { emptyWords: ['blank'], freeTextFields: ['note'] } };

describe('servers', () => {
  const facts = { serverNames: ['depot'], allTools: { depot: ['wash'] }, toolSchemas: { 'depot:wash': {} } };
  const call = flow('{name: c, call: {tool: "depot:wash"}}');

  it('count as declared when mcp_sources names them', () => {
    expect(said(call, { facts })).toEqual(['W2']);
    expect(said(`mcp_sources: [{server: depot}]\n${call}`, { facts })).toEqual([]);
    expect(said(`mcp_sources: [{server: moon}]\n${flow('{instruction: go}')}`, { facts })).toEqual(['E1']);
  });

  it('are not called undeclared where an included skill may declare them', () => {
    expect(said(`includes: [{skill: other}]\n${call}`, { facts })).toEqual([]);
  });

  it('do not include builtin, which is everywhere', () => {
    const text = `servers: [builtin]\nbuiltin_tools: [t]\n${flow('{call: {tool: "builtin:t"}}')}`;
    expect(said(text, { facts: { builtinTools: ['t'] } })).toEqual([]);
  });
});

describe('assets', () => {
  const used = (asset: string): string =>
    flow('{name: s, instruction: "{{asset:a}}"}').replace('  steps:', `  assets: {a: ${asset}}\n  steps:`);

  it('of an unknown kind may be programs, and without params there is nothing else to ask', () => {
    expect(said(used('{kind: code, content: x}'))).toEqual(['W4', 'W11']);
    expect(said(used('{content: x}'), { options: { assets: { codeKinds: ['code'] } } })).toEqual([]);
  });
});

describe('envelopes', () => {
  const options = { envelopes: [{ server: 'kiln', fields: ['exit', 'out'], payload: 'out' }] };
  const facts = { serverNames: ['kiln'], allTools: { kiln: ['fire'] }, toolSchemas: { 'kiln:fire': {} } };
  const lint = (...steps: string[]) =>
    said(`servers: [kiln]\n${flow('{save_as: res, call: {tool: "kiln:fire"}}', ...steps)}`, {
      facts,
      options,
    });
  const USE = '{instruction: "{{res}} {{res}}"}';

  it('are reported once for each step and variable', () => {
    expect(lint(USE, USE)).toEqual(['W8', 'W8']);
  });

  it('are gone when something else writes the variable', () => {
    expect(lint('{set: {var: res, value: "{{res.out}}"}}', USE)).toEqual([]);
    expect(lint('{for_each: {in: answer, as: res, steps: [{instruction: "{{res}}"}]}}')).toEqual([]);
  });
});

describe('fields of response schemas', () => {
  const ID = '{type: object, required: [id], properties: {id: {type: integer}}}';

  it('are not asked for where a variable has the name of the whole path', () => {
    const read = '{instruction: "{{got.name}}"}';
    expect(said(flow(schemaStep(ID), read), WORDS)).toEqual(['W21']);
    expect(said(flow(schemaStep(ID), '{set: {var: got.name, value: x}}', read), WORDS)).toEqual([]);
  });

  it('may stand in another part of the schema', () => {
    const open =
      '{type: object, required: [id], properties: {id: {type: integer}}, anyOf: [{required: [id]}]}';
    expect(said(flow(schemaStep(open), '{instruction: "{{got.name}}"}'), WORDS)).toEqual([]);
  });

  it('have a bound when they are constants', () => {
    const constant = '{type: object, required: [note], properties: {note: {type: string, const: a}}}';
    expect(said(flow(schemaStep(constant)), WORDS)).toEqual([]);
  });

  it('are looked at in lists, choices and definitions', () => {
    const inner = '{type: object, properties: {a: {type: integer}}}';
    const lists = `{type: object, required: [l, c], properties: {l: {type: array, items: ${inner}}, c: {oneOf: [${inner}]}}, $defs: {d: ${inner}}}`;
    expect(said(flow(schemaStep(lists)), WORDS)).toEqual(['W9', 'W9', 'W9']);
  });
});

describe('alternatives', () => {
  it.each([
    ['red tram | tram', 1],
    ['tram | tram', 1],
    ['tram | ram', 0],
    ['Tram | TRAMS', 1],
    ['"c++" | c', 1],
    ['+1 | 1', 1],
  ])('are covered by a word inside them: %s', (words, count) => {
    const text = flow(`{when: 'answer contains ${words}', instruction: go}`);
    expect(said(text)).toEqual(Array.from({ length: count }, () => 'W18'));
  });
});

describe('variables', () => {
  it('exist from the step that writes them on, in whatever way it does', () => {
    const steps = [
      '{ask: {question: "{{nobody}}", save_as: reply}}',
      '{parallel: {collect: all, branches: [[{set: {var: a, value: x}}], [{set: {var: b, value: "{{a}}"}}]]}}',
      '{for_each: {in: all, as: one, collect: sum, save_as: note, steps: [{set: {var: sum, value: "{{sum}}{{one}}"}}]}}',
      '{instruction: "{{reply}} {{all.skipped}} {{b}} {{sum}}", save_as: said}',
      '{exit: {reason: "{{unknown}}"}, when: said is empty}',
    ];
    const { findings } = lintSkill(flow(...steps));
    expect(findings.map(({ rule, step }) => [rule, step])).toEqual([['W14', '#1']]);
  });
});
