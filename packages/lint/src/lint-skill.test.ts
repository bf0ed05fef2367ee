import { describe, expect, it } from 'vitest';
import { type LintInput, lintSkill } from './index.ts';

const HEADER = `skill_engine_version: "2.5.0"
name: tryout
description: A skill to look at.
trigger_examples: [look]
`;
const flow = (steps: string): string => `${HEADER}workflow:\n  tools: []\n  steps:\n${steps}`;
const found = (text: string, input: LintInput = {}): string[] =>
  lintSkill(text, input).findings.map(
    ({ rule, line, column, step = '' }) => `${rule} ${line}:${column} ${step}`,
  );

describe('lintSkill', () => {
  it('sorts findings by their place, whatever the rule', () => {
    const text = flow(
      '    - {name: a, instruction: "{{x}} {{asset:b}}"}\n    - {name: c, switch: {var: "{{y}}"}}\n',
    );
    expect(found(text)).toEqual(['W14 8:17 a', 'W19 8:17 a', 'W17 9:26 c']);
  });

  it('says what is wrong and what to write, and names the file', () => {
    const { findings } = lintSkill(flow('    - {name: a, instruction: "{{x}}"}\n'), { file: 'a.yaml' });
    expect(findings).toEqual([
      {
        rule: 'W14',
        severity: 'error',
        file: 'a.yaml',
        line: 8,
        column: 17,
        step: 'a',
        message: 'Step "a" reads {{x}}, and nothing before it writes "x".',
        hint: expect.stringContaining('host_vars') as string,
        topic: 'variables',
      },
    ]);
  });

  it('counts lines and columns of a file with CRLF and a byte order mark', () => {
    const text = `\uFEFF${HEADER}playbook: |\n  one\n  two old\n`.replaceAll('\n', '\r\n');
    const options = { staleApis: [{ pattern: 'old', what: 'old', instead: 'new' }], callProtocol: 'call' };
    expect(found(text, { options })).toEqual(['S3 7:7 ']);
  });

  it('reports each reason why a file does not load, and looks on as far as it can', () => {
    const text = 'skill_engine_version: "1.0.0"\nname: A B\nplaybook: use old\n';
    const options = { staleApis: [{ pattern: 'old', what: 'old', instead: 'new' }], callProtocol: 'call' };
    expect(found(text, { options }).map((line) => line.slice(0, 2))).toEqual(['S1', 'S1', 'S6', 'S1', 'S3']);
  });

  it('says nothing of a disabled skill, and that a disabled file cannot be read', () => {
    expect(found('disabled: true\nname: B A D\n')).toEqual([]);
    expect(found('disabled: true\nname: [a]\n')).toEqual(['S1 2:7 ']);
  });

  it('gives only W1 of a workflow that does not validate', () => {
    const text = flow(
      '    - {name: a}\n    - {name: b, instruction: "{{x}}"}\n    - {name: c, set: {value: x}}\n',
    );
    expect(found(text)).toEqual(['W1 8:7 a', 'W1 10:22 c']);
  });

  it('says of a rule that needs what is not given that it did not run, once', () => {
    const text = flow(
      '    - {name: a, call: {tool: "depot:wash"}}\n    - {name: b, call: {tool: "depot:dry"}}\n',
    ).replace('workflow', 'servers: [depot]\nworkflow');
    const { findings, skipped } = lintSkill(text);
    expect(skipped).toEqual(['E1', 'W2', 'W3', 'W5']);
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual(
      ['E1', 'W2', 'W3', 'W5'].map((id) => [
        'X1',
        expect.stringMatching(`^${id} .*\\x60\\w+\\x60 is not given`),
      ]),
    );
  });

  it('says that a call in a playbook was not looked at, and not that a playbook has none', () => {
    const options = { callProtocol: 'call', staleApis: [{ pattern: 'x', what: 'x', instead: 'y' }] };
    const skipped = (line: string) => lintSkill(`${HEADER}playbook: '${line}'\n`, { options }).skipped;
    expect(skipped('call(server="a", tool="b")')).toEqual(['E2', 'E5']);
    expect(skipped('Look at it.')).toEqual([]);
  });

  it('finds a call that is written over several lines where it begins', () => {
    const text = `${HEADER}playbook: |\n  one\n  call(\n    server="a",\n    tool="b")\n`;
    const options = { callProtocol: 'call', staleApis: [{ pattern: 'z*', what: 'z', instead: 'y' }] };
    const facts = { allTools: { a: ['c'] }, builtinTools: ['x'] };
    expect(found(text, { facts, options })).toEqual(['E2 7:3 ']);
  });

  it('refuses a pattern that is no regular expression', () => {
    const options = { staleApis: [{ pattern: '(', what: 'a', instead: 'b' }] };
    expect(() => lintSkill(`${HEADER}playbook: x\n`, { options })).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID' }),
    );
  });
});

describe('the place of an unnamed step', () => {
  it.each([
    ['    - {instruction: go}\n    - {instruction: "{{x}}"}\n', '#2'],
    ['    - {for_each: {in: answer, as: r, steps: [{instruction: "{{x}}"}]}}\n', '#1.steps#1'],
    ['    - {name: n, if: {cond: answer == a, else: [{instruction: "{{x}}"}]}}\n', 'n.else#1'],
    ['    - {switch: {var: answer, cases: {k: [{instruction: "{{x}}"}]}}}\n', '#1.cases.k#1'],
    ['    - {parallel: {branches: [[], [{instruction: "{{x}}"}]]}}\n', '#1.branches[1]#1'],
  ])('is given by its lists: %s', (steps, place) => {
    expect(lintSkill(flow(steps)).findings.map(({ step }) => step)).toEqual([place]);
  });
});

describe('hostile files', () => {
  const long = (unit: string, times: number): string => unit.repeat(times);
  const schema =
    'response_schema: {type: object, required: [a], properties: {a: {type: string, maxLength: 9}}}';

  it.each([
    ['references', flow(`    - {instruction: "${long('{{x}}{{y.z}}', 60_000)}"}\n`), 2],
    ['steps', flow(long('    - {instruction: "{{x}}"}\n', 10_000)), 100],
    [
      'alternatives',
      flow(`    - {when: "answer contains ${long('ab | ', 150_000)} abc", instruction: go}\n`),
      100,
    ],
    ['list marks', flow(`    - {model: m, ${schema}, instruction: "${long('*', 500_000)}a"}\n`), 0],
    ['brackets', `${HEADER}playbook: "${long('a ((', 200_000)}"\n`, 1],
    ['written calls', `${HEADER}playbook: '${long('c(server="s", tool="t")', 30_000)}'\n`, 101],
  ])('are looked through in one pass: %s', (_, text, count) => {
    const { findings } = lintSkill(text, {
      facts: { allTools: { s: ['u'] }, builtinTools: ['b'] },
      options: {
        callProtocol: 'c',
        emptyWords: ['blank'],
        freeTextFields: ['note'],
        staleApis: [{ pattern: 'zz', what: 'zz', instead: 'y' }],
      },
    });
    expect(findings).toHaveLength(count);
  });

  it('shortens names that are as long as the file', () => {
    const name = long('n', 300_000);
    const { findings } = lintSkill(flow(`    - {instruction: "{{${name}}} {{asset:${name}}}"}\n`));
    expect(findings.map(({ rule }) => rule)).toEqual(['W14', 'W19']);
    for (const { message, hint } of findings) expect(message.length + hint.length).toBeLessThan(2500);
  });
});
