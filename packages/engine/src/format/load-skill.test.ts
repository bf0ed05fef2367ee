import { describe, expect, it } from 'vitest';
import type { CallStep, InstructionStep, Step } from './ast.ts';
import { inspectSkill, loadSkill } from './load-skill.ts';

function skillOf(body: string, version = '2.5.0'): string {
  return `skill_engine_version: "${version}"\nname: kiln\ndescription: d\n${body}`;
}

function load(body: string) {
  const result = loadSkill(skillOf(body));
  expect(result.diagnostics).toEqual([]);
  if (result.skill === null) throw new Error('did not load');
  return result.skill;
}

function stepsOf(steps: string, above = ''): readonly Step[] {
  return load(`workflow:\n${above}  steps: ${steps}\n`).workflow?.steps ?? [];
}

/** The one step of a workflow. */
function stepOf<S extends Step = InstructionStep>(step: string, above = ''): S {
  return stepsOf(`[${step}]`, above)[0] as S;
}

function codesOf(body: string, version?: string): readonly string[] {
  return loadSkill(skillOf(body, version)).diagnostics.map(({ code }) => code);
}

describe('text fields', () => {
  it('keep the spelling of the source, and hold nothing for null', () => {
    const { workflow } = load(
      'workflow:\n  vars: {a: 1.50, b: 007, c: yes, d: true, e: null, f: ~, g: "null", h: 1e3, i: 0x1F, j: 2024-01-01, k: .inf}\n  steps: [{exit: {}}]',
    );
    expect(Object.fromEntries(workflow?.vars ?? [])).toEqual({
      a: '1.50',
      b: '007',
      c: 'yes',
      d: 'true',
      e: '',
      f: '',
      g: 'null',
      h: '1e3',
      i: '0x1F',
      j: '2024-01-01',
      k: '.inf',
    });
  });

  it('keep it in lists, names, case keys and block texts as well', () => {
    const step = stepOf('{name: 1.0, instruction: 2.50, one_of: [yes, no, 010, null]}');
    expect(step).toMatchObject({ name: '1.0', instruction: '2.50', oneOf: ['yes', 'no', '010', ''] });
    const choice = stepOf('{switch: {var: a, cases: {1.0: [], yes: [], null: []}}}');
    expect(choice).toMatchObject({ cases: [{ value: '1.0' }, { value: 'yes' }, { value: '' }] });
    expect(load('playbook: |-\n  null\n').playbook).toBe('null');
  });

  it('keep case keys in the order of the file, index-like ones included', () => {
    expect(stepOf('{switch: {var: a, cases: {b: [], 1: [], 0: [], __proto__: []}}}')).toMatchObject({
      cases: [{ value: 'b' }, { value: '1' }, { value: '0' }, { value: '__proto__' }],
    });
  });

  it('refuse a list or a mapping with SKILL_TYPE, naming the path and the step', () => {
    const result = loadSkill(skillOf('workflow: {steps: [{instruction: x}, {name: say, instruction: [x]}]}'));
    expect(result).toMatchObject({
      stage: 'parse',
      diagnostics: [{ code: 'SKILL_TYPE', step: 'say', position: { line: 4, column: 63 } }],
    });
    expect(result.diagnostics[0]?.message).toBe(
      '`workflow.steps[1].instruction` in step "say" must be text, and is a list.',
    );
  });
});

describe('numbers and flags', () => {
  it('are typed by the core schema', () => {
    expect(
      stepOf('{instruction: x, max_calls: 010, sampling: {temperature: .5, top_k: 0x10, top_p: 1e-1}}'),
    ).toMatchObject({
      maxCalls: 10,
      sampling: { temperature: 0.5, top_k: 16, top_p: 0.1 },
    });
    expect(stepOf('{instruction: x, max_calls: 3.0}')).toMatchObject({ maxCalls: 3 });
    expect(load('playbook: p\ndisabled: True').disabled).toBe(true);
    expect(load('playbook: p\ndisabled: no').disabled).toBe(false);
  });

  it.each(['"3"', 'three', '3.5', '[3]', '9007199254740993', '.inf', '1_000'])(
    'refuse %s as a whole number',
    (value) => {
      expect(loadSkill(skillOf(`workflow: {steps: [{instruction: x, max_calls: ${value}}]}`))).toMatchObject({
        stage: 'parse',
        diagnostics: [{ code: 'SKILL_TYPE' }],
      });
    },
  );

  it.each(['"true"', '1', 'perhaps', '[]'])('refuse %s as a flag', (value) => {
    expect(codesOf(`playbook: p\ndisabled: ${value}`)).toEqual(['SKILL_TYPE']);
  });
});

describe('call.args', () => {
  const argsOf = (args: string) => stepOf<CallStep>(`{call: {tool: "mill:grind", args: ${args}}}`).args;

  it('are JSON: numbers become doubles, words of YAML 1.1 stay text', () => {
    expect(
      argsOf(
        '{a: 9007199254740993, b: -4, c: 1.5e3, d: yes, e: true, f: null, g: 0o17, h: "1", i: 2024-01-01}',
      ),
    ).toEqual({
      a: 9007199254740992,
      b: -4,
      c: 1500,
      d: 'yes',
      e: true,
      f: null,
      g: 15,
      h: '1',
      i: '2024-01-01',
    });
  });

  it('keep the spelling of a number that JSON cannot hold', () => {
    expect(argsOf('{a: 1e999, b: .inf, c: .nan}')).toEqual({ a: '1e999', b: '.inf', c: '.nan' });
  });

  it('hold __proto__ as a key of their own and pollute nothing', () => {
    const args = argsOf('{__proto__: {polluted: true}, deep: [{__proto__: 1}]}');
    expect(Object.keys(args)).toEqual(['__proto__', 'deep']);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('keys beside a block', () => {
  it('move into a call where it does not say its own', () => {
    const step = stepOf<CallStep>(
      '{save_as: r, on_error: skip, on_empty: use, on_empty_value: none, timeout: 5s, call: {tool: "a:b", on_error: continue}}',
    );
    expect(step).toMatchObject({
      saveAs: 'r',
      onError: 'continue',
      onEmpty: 'use',
      onEmptyValue: 'none',
      timeoutMs: 5000,
    });
  });

  it('move into a delegate, where a different save_as inside wins and retry is let through', () => {
    expect(
      stepOf('{save_as: outer, on_empty: retry, delegate: {skill: s, task: t, save_as: inner}}'),
    ).toMatchObject({
      kind: 'delegate',
      saveAs: 'inner',
      onEmpty: 'retry',
    });
    expect(stepOf('{on_empty: banana, delegate: {skill: s, task: t}}')).toMatchObject({
      onEmpty: 'continue',
    });
  });

  it('stay with a loop, a fork and a block without a result: save_as receives the note', () => {
    expect(
      stepOf('{save_as: note, on_error: skip, for_each: {in: a, as: b, on_error: continue}}'),
    ).toMatchObject({ saveAs: 'note', onError: 'continue' });
    expect(stepOf('{save_as: note, on_error: skip, parallel: {branches: [[], []]}}')).toMatchObject({
      saveAs: 'note',
      onError: 'skip',
    });
    expect(stepOf('{save_as: note, on_error: skip, set: {var: a}}')).toMatchObject({
      saveAs: 'note',
      onError: 'skip',
    });
  });

  it('are checked where they land', () => {
    expect(codesOf('workflow: {steps: [{on_empty: banana, call: {tool: "a:b"}}]}')).toEqual([
      'ON_EMPTY_UNKNOWN',
    ]);
    expect(codesOf('workflow: {steps: [{on_error: banana, call: {tool: "a:b"}}]}')).toEqual([
      'ON_ERROR_UNKNOWN',
    ]);
    expect(codesOf('workflow: {steps: [{on_error: banana, call: {tool: "a:b", on_error: skip}}]}')).toEqual([
      'ON_ERROR_UNKNOWN',
    ]);
    expect(codesOf('workflow: {steps: [{on_empty_value: x, call: {tool: "a:b"}}]}')).toEqual([
      'ON_EMPTY_VALUE_UNUSED',
    ]);
  });
});

describe('profiles', () => {
  const PROFILES =
    '  profiles: {p: {model: m, sampling: {temperature: 0.5, top_k: 9}, tools: [], max_calls: 3, max_tool_errors: 1, on_error: skip}}\n';

  it('fill what an instruction step leaves unset; 0 and "" are unset', () => {
    expect(stepOf('{profile: p, instruction: x, max_calls: 0, model: ""}', PROFILES)).toMatchObject({
      model: 'm',
      sampling: { temperature: 0.5, top_k: 9 },
      tools: [],
      maxCalls: 3,
      maxToolErrors: 1,
      onError: 'skip',
    });
  });

  it('leave what it sets: sampling as a whole, and an empty list of tools', () => {
    expect(stepOf('{profile: p, instruction: x, sampling: {}, tools: [a]}', PROFILES)).toMatchObject({
      sampling: {},
      tools: ['a'],
    });
    expect(
      stepOf('{profile: q, instruction: x, tools: []}', '  profiles: {q: {tools: [a]}}\n'),
    ).toMatchObject({ tools: [] });
  });

  it('reach steps at every depth', () => {
    const loop = stepOf(
      '{for_each: {in: a, as: b, steps: [{if: {cond: a == b, then: [{profile: p, instruction: x}]}}]}}',
      PROFILES,
    );
    expect(loop).toMatchObject({ steps: [{ then: [{ model: 'm' }] }] });
  });
});

describe('what a skill comes to', () => {
  it('puts the defaults in', () => {
    expect(stepOf('{for_each: {in: a, as: b}}')).toMatchObject({
      maxIterations: 10,
      concurrency: 0,
      onError: 'abort',
      steps: [],
    });
    expect(stepOf('{for_each: {in: a, as: b, max_iterations: 0}}')).toMatchObject({ maxIterations: 10 });
    expect(stepOf('{instruction: x, on_empty: retry}')).toMatchObject({ onEmptyRetries: 1 });
    expect(stepOf('{instruction: x, response_schema: {}}')).toMatchObject({
      responseSchema: null,
      tools: null,
      onEmptyRetries: 0,
    });
  });

  it('carries the workflow whatever mode says, and none without steps', () => {
    expect(load('mode: playbook\nplaybook: p\nworkflow: {steps: [{exit: {}}]}').workflow?.steps).toHaveLength(
      1,
    );
    expect(load('playbook: p\nworkflow: {steps: [], assets: {a: {}}}').workflow).toBeNull();
  });

  it('splits the tool of a call, and takes it bare beside on_server', () => {
    expect(stepOf('{call: {tool: " museum : wing:east "}}')).toMatchObject({
      server: 'museum',
      tool: 'wing:east',
    });
    expect(stepOf('{on_server: "{{s}}", call: {tool: " bell "}}')).toMatchObject({
      server: '',
      tool: 'bell',
      onServer: '{{s}}',
    });
  });

  it('reads the fetch policy of an asset', () => {
    const { workflow } = load(
      'workflow:\n  assets: {a: {ref: x, fetch: {ttl: 1h30m, timeout: 1.5s, retries: 2, on_unavailable: stale}}}\n  steps: [{exit: {}}]',
    );
    expect(workflow?.assets.get('a')?.fetch).toEqual({
      ttlMs: 5_400_000,
      timeoutMs: 1500,
      retries: 2,
      onUnavailable: 'stale',
    });
  });

  it('knows where each key stands, moved ones by where they were written', () => {
    const text = skillOf(
      'servers: [a]\nworkflow:\n  tools: [a]\n  steps:\n    - name: go\n      save_as: r\n      call:\n        tool: a:b\n',
    );
    const { skill } = loadSkill(text);
    expect(skill?.keys.get('servers')).toEqual({ line: 4, column: 1 });
    expect(skill?.keys.get('workflow.tools')).toEqual({ line: 6, column: 3 });
    const [step] = skill?.workflow?.steps ?? [];
    expect(step?.position).toEqual({ line: 8, column: 7 });
    expect(Object.fromEntries(step?.keys ?? [])).toMatchObject({
      save_as: { line: 9, column: 7 },
      'call.tool': { line: 11, column: 9 },
    });
  });
});

describe('what is wrong', () => {
  it('is named completely, in the order of the specification', () => {
    const body = [
      'mode: hybrid',
      'workflow:',
      '  assets: {card: {}}',
      '  profiles: {p: {on_error: shrug}}',
      '  steps:',
      '    - {name: peek, on_empty: fail, call: {tool: x, on_empty: use}}',
      '    - name: fork',
      '      when: sometimes',
      '      if: {cond: "{{a}} == b", then: [{name: hollow}]}',
      '      exit: {}',
      '    - {profile: q, instruction: x, temperature: 0}',
    ];
    const { diagnostics } = loadSkill(`name: Kiln\n${body.join('\n')}\n`);
    expect(diagnostics.map(({ code, step }) => (step === undefined ? code : `${code} ${step}`))).toEqual([
      'VERSION_MISSING',
      'NAME_INVALID',
      'DESCRIPTION_MISSING',
      'MODE_INVALID',
      'KEY_GIVEN_TWICE peek',
      'ASSET_WITHOUT_SOURCE',
      'ON_ERROR_UNKNOWN',
      'PROFILE_UNKNOWN workflow.steps[2]',
      'TOOL_INVALID peek',
      'ON_EMPTY_VALUE_MISSING peek',
      'CONDITION_INVALID fork',
      'STEP_NO_ACTION hollow',
      'CONDITION_INVALID fork',
      'STEP_SEVERAL_ACTIONS fork',
      'SAMPLING_MISPLACED workflow.steps[2]',
    ]);
    for (const diagnostic of diagnostics) {
      expect(diagnostic).toMatchObject({
        severity: 'error',
        message: expect.stringMatching(/\S/),
        hint: expect.stringMatching(/\S/),
      });
      expect(diagnostic.position?.line).toBeGreaterThan(0);
    }
  });

  it('carries the name of the file', () => {
    expect(loadSkill('a: b', { file: 'x.yaml' }).diagnostics[0]).toMatchObject({ file: 'x.yaml' });
    expect(loadSkill('a: b').diagnostics[0]).not.toHaveProperty('file');
  });

  it('locates an unnamed step by its path', () => {
    const { diagnostics } = loadSkill(
      skillOf('workflow: {steps: [{exit: {}}, {parallel: {branches: [[], [{}]]}}]}'),
    );
    expect(diagnostics).toMatchObject([
      { code: 'STEP_NO_ACTION', step: 'workflow.steps[1].parallel.branches[1][0]' },
    ]);
    expect(diagnostics[0]?.message).toContain('`workflow.steps[1].parallel.branches[1][0]`');
  });

  it('shows a condition as it is spelled, quotes included', () => {
    const { diagnostics } = loadSkill(skillOf(`workflow: {steps: [{exit: {}, when: 'depth > "5"'}]}`));
    expect(diagnostics[0]?.message).toContain('depth > "5"');
  });

  it.each([
    ['two actions in one step', '{instruction: x, set: {var: a}}', 'STEP_SEVERAL_ACTIONS'],
    ['a step with unknown keys only', '{repeat: 3}', 'STEP_NO_ACTION'],
    ['an exit set to null', '{exit: }', 'STEP_NO_ACTION'],
    ['braces on the left of a condition', '{exit: {}, when: "{{a}} == b"}', 'CONDITION_INVALID'],
    ['a retry inside a call', '{call: {tool: "a:b", on_empty: retry}}', 'ON_EMPTY_RETRY_ON_CALL'],
    ['retries without retry', '{instruction: x, on_empty_retries: 2}', 'ON_EMPTY_RETRIES_INVALID'],
    ['a call on a server without a tool', '{on_server: a, call: {tool: "a: "}}', 'TOOL_INVALID'],
    ['a schema without a model', '{instruction: x, response_schema: {type: object}}', 'SCHEMA_WITHOUT_MODEL'],
    ['a profile on a step that no model executes', '{profile: p, exit: {}}', 'PROFILE_MISPLACED'],
  ])('is refused: %s', (_what, step, code) => {
    expect(codesOf(`workflow: {profiles: {p: {}}, steps: [${step}]}`)).toEqual([code]);
  });

  it.each([
    '{exit: {}, max_calls: -1, on_empty_retries: 9, one_of: [a]}',
    '{instruction: x, max_tool_errors: -4}',
    '{for_each: {in: a-b, as: b}, on_empty: x}',
    '{call: {tool: "other:x"}}',
    '{instruction: "{{asset:none}}"}',
    '{switch: {var: "{{a}}"}}',
    '{if: {cond: a == b}}',
    '{exit: {}, tools: [a], model: m, colour: red}',
  ])('is let through on purpose: %s', (step) => {
    expect(codesOf(`workflow: {tools: [a], steps: [${step}]}`)).toEqual([]);
  });
});

describe('what format 2.5.0 adds', () => {
  const ADDITIONS = [
    'includes: [{skill: a}]',
    'tool_refs: [a]',
    'inline_tools: [{name: a}]',
    'mcp_sources: [{server: a, tools: [b]}]',
    'agent_skills: [a]',
    'overrides: {a: {b: 1}}',
    'workflow: {limits: {calls: 3}, steps: [{exit: {}}]}',
    'workflow: {steps: [{for_each: {in: a, as: b, concurrency: 4}}]}',
    'workflow: {steps: [{ask: {question: q}}]}',
    'workflow: {steps: [{instruction: x, timeout: 5s}]}',
    'workflow: {steps: [{call: {tool: "a:b", timeout: 5s}}]}',
    'workflow: {steps: [{timeout: 5s, delegate: {skill: s, task: t}}]}',
    'workflow: {steps: [{if: {cond: a == b, else: [{delegate: {skill: s, task: t, timeout: 5s}}]}}]}',
  ];

  it.each(ADDITIONS)('loads %s', (body) => {
    expect(codesOf(`playbook: p\n${body}`)).toEqual([]);
  });

  it.each(ADDITIONS)('refuses %s in an older file, and nothing else about it', (body) => {
    const result = loadSkill(skillOf(`playbook: p\n${body}`, '2.4.1'));
    expect(result).toMatchObject({ stage: 'validate', diagnostics: [{ code: 'FIELD_NEEDS_VERSION' }] });
    expect(result.diagnostics).toHaveLength(1);
    expect(result.diagnostics[0]?.message).toMatch(
      /`[a-z_.]+`.* needs format 2\.5\.0, and the file declares 2\.4\.1\./,
    );
  });

  it('does not complain about the type of what an older file may not have', () => {
    expect(codesOf('playbook: p\nincludes: 5\nworkflow: {limits: [], steps: [{exit: {}}]}', '2.0.0')).toEqual(
      ['FIELD_NEEDS_VERSION', 'FIELD_NEEDS_VERSION'],
    );
  });

  it('lets an older file have the same word where it was always unknown, or as null', () => {
    expect(
      codesOf(
        'playbook: p\nincludes:\nworkflow: {steps: [{set: {var: a}, timeout: 5s}, {parallel: {concurrency: 2, branches: [[], []]}}]}',
        '2.0.0',
      ),
    ).toEqual([]);
  });

  it.each([
    'includes: [a]',
    'tool_refs: a',
    'inline_tools: {}',
    'mcp_sources: [{tools: a}]',
    'agent_skills: [[a]]',
    'overrides: {a: 1}',
  ])('refuses %s with SKILL_TYPE', (body) => {
    expect(codesOf(`playbook: p\n${body}`)).toEqual(['SKILL_TYPE']);
  });

  it.each([
    ['includes: [{skill: a}, {}]', 'FIELD_MISSING', '`includes[1]` has no `skill`.'],
    ['mcp_sources: [{server: " "}]', 'FIELD_MISSING', '`mcp_sources[0]` has no `server`.'],
    ['tool_refs: ["a:b", read, ":x"]', 'TOOL_INVALID', '`tool_refs[2]` is ":x", which names no tool.'],
    ['tool_refs: ["x:"]', 'TOOL_INVALID', '`tool_refs[0]` is "x:", which names no tool.'],
    ['tool_refs: [""]', 'TOOL_INVALID', '`tool_refs[0]` is "", which names no tool.'],
    ['agent_skills: [./a, ""]', 'FIELD_MISSING', '`agent_skills[1]` is blank.'],
  ])('refuses %s with %s and its place', (body, code, message) => {
    const { diagnostics } = loadSkill(skillOf(`playbook: p\n${body}`));
    expect(diagnostics).toMatchObject([{ code, message, position: { line: 5 } }]);
    expect(diagnostics[0]?.position?.column).toBeGreaterThan(body.indexOf('[') + 1);
    expect(codesOf(`playbook: p\n${body}`, '2.4.0')).toEqual(['FIELD_NEEDS_VERSION']);
  });

  it('keeps the header keys as JSON, names as they are spelled', () => {
    const body =
      'includes: [{skill: 1.0, extra: 1.0}]\ntool_refs: [007]\nmcp_sources: [{server: yes}]\noverrides: {b: {n: 1}, a: null}\n';
    expect(load(`playbook: p\n${body}`).sources).toEqual({
      includes: [{ skill: '1.0', extra: 1 }],
      tool_refs: ['007'],
      mcp_sources: [{ server: 'yes' }],
      overrides: { b: { n: 1 }, a: {} },
    });
    expect(load('playbook: p').sources).toEqual({});
  });

  it('reads a question with its options', () => {
    const step =
      '{save_as: r, on_error: skip, ask: {question: "Which?", options: [{value: 1.0, label: One}, {value: b}], timeout: 2h, on_timeout: use, on_timeout_value: b}}';
    expect(stepOf(step)).toMatchObject({
      kind: 'ask',
      saveAs: 'r',
      onError: 'skip',
      question: 'Which?',
      timeoutMs: 7_200_000,
      onTimeout: 'use',
      onTimeoutValue: 'b',
      options: [
        { value: '1.0', label: 'One' },
        { value: 'b', label: '' },
      ],
    });
  });

  it.each([
    ['{ask: {}}', 'FIELD_MISSING'],
    ['{ask: {question: q, options: [{label: a}]}}', 'FIELD_MISSING'],
    ['{ask: {question: q, on_timeout: wait}}', 'ON_TIMEOUT_INVALID'],
    ['{ask: {question: q, on_timeout: use}}', 'ON_TIMEOUT_INVALID'],
    ['{ask: {question: q, on_timeout_value: a}}', 'ON_TIMEOUT_INVALID'],
    ['{instruction: x, timeout: 5}', 'TIMEOUT_INVALID'],
    ['{instruction: x, timeout: 0s}', 'TIMEOUT_INVALID'],
    ['{timeout: soon, call: {tool: "a:b"}}', 'TIMEOUT_INVALID'],
    ['{for_each: {in: a, as: b, concurrency: 0}}', 'NUMBER_OUT_OF_RANGE'],
    ['{for_each: {in: a, as: b, concurrency: 1001}}', 'NUMBER_OUT_OF_RANGE'],
  ])('refuses %s with %s', (step, code) => {
    expect(codesOf(`workflow: {steps: [${step}]}`)).toEqual([code]);
  });

  it('refuses a negative limit', () => {
    expect(codesOf('workflow: {limits: {tokens: -1}, steps: [{exit: {}}]}')).toEqual(['NUMBER_OUT_OF_RANGE']);
  });
});

describe('inspectSkill', () => {
  it('keeps problems of the header apart, and gives the skill without a broken workflow', () => {
    const broken = inspectSkill('name: Kiln\nplaybook: p\nworkflow: {steps: [{}]}');
    expect(broken).toMatchObject({
      parsed: true,
      flow: [{ code: 'STEP_NO_ACTION' }],
      skill: { playbook: 'p', workflow: null },
    });
    expect(broken.parsed && broken.header.map(({ code }) => code)).toEqual([
      'VERSION_MISSING',
      'NAME_INVALID',
      'DESCRIPTION_MISSING',
    ]);
  });

  it('gives the workflow of a file whose header alone is wrong', () => {
    expect(inspectSkill('workflow: {steps: [{exit: {}}]}')).toMatchObject({
      parsed: true,
      flow: [],
      skill: { workflow: { steps: [{ kind: 'exit' }] } },
    });
  });
});
