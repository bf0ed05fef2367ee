import { loadSkill, type Skill } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import { type Preflight, preflight, type PreflightInput } from './preflight.ts';
import { reaches } from './reach.ts';

const PRICES: Record<string, { input: number; output: number }> = {
  '': { input: 1, output: 10 },
  dear: { input: 10, output: 100 },
};
const INPUT: PreflightInput = {
  effects: { maps: 'read', 'maps:draw': 'once', depot: 'once', 'depot:list': 'read' },
  modelOf: (model) => ({ price: PRICES[model] }),
  guess: { input: 1000, output: 100 },
};

function skillOf(body: string): Skill {
  const head = 'skill_engine_version: "2.5.0"\nname: tryout\ndescription: Tries.\nservers: [maps, depot]\n';
  const { skill, ...rest } = loadSkill(`${head}${body}`);
  if (skill === null) throw new Error(JSON.stringify(rest));
  return skill;
}

function flight(steps: string, header = 'tools: [maps, depot]'): Preflight {
  const indented = steps.trim().replaceAll(/^/gm, '    ');
  return preflight(skillOf(`workflow:\n  ${header}\n  steps:\n${indented}\n`), INPUT);
}

describe('the worst case', () => {
  const counts = (steps: string, header?: string): number[] => {
    const { generations, calls, delegations, questions } = flight(steps, header).worst;
    return [generations, calls, delegations, questions];
  };

  it('counts a model step with its tool loop, and one without tools once', () => {
    // 8 calls and 2 misses by default: 10 rounds that ask for one each, one that is cut off, and the answer.
    expect(counts('- {name: a, instruction: Do.}')).toEqual([12, 10, 0, 0]);
    expect(counts('- {name: a, tools: [], instruction: Do.}')).toEqual([1, 0, 0, 0]);
    expect(counts('- {name: a, tools: [], instruction: Do., on_empty: retry, on_empty_retries: 2}')).toEqual([
      3, 0, 0, 0,
    ]);
    expect(counts('- {name: a, max_calls: 1, max_tool_errors: 1, instruction: Do.}')).toEqual([4, 2, 0, 0]);
  });

  it('takes the dearest branch, every branch of a fork, and as many iterations as are let through', () => {
    const call = '{call: {tool: "depot:list"}}';
    expect(counts(`- if: {cond: input is empty, then: [${call}], else: [${call}, ${call}]}`)).toEqual([
      0, 2, 0, 0,
    ]);
    expect(counts(`- switch: {var: input, cases: {a: [${call}]}, default: [${call}, ${call}]}`)).toEqual([
      0, 2, 0, 0,
    ]);
    expect(counts(`- parallel: {branches: [[${call}], [${call}, ${call}]]}`)).toEqual([0, 3, 0, 0]);
    expect(counts(`- for_each: {in: input, as: x, max_iterations: 7, steps: [${call}]}`)).toEqual([
      0, 7, 0, 0,
    ]);
    expect(counts('- {delegate: {skill: other, task: Go.}}')).toEqual([0, 0, 1, 0]);
    expect(counts('- {ask: {question: "Well?"}}')).toEqual([0, 0, 0, 1]);
  });

  it('ends at the limits of the turn', () => {
    const header = 'tools: [maps]\n  limits: {generations: 3, calls: 2}';
    expect(counts('- {name: a, instruction: Do.}', header)).toEqual([3, 2, 0, 0]);
  });
});

describe('the cost', () => {
  it('is that of every generation, by the price of its model', () => {
    const { envelope } = flight(
      '- {name: a, tools: [], instruction: Do.}\n- {name: b, tools: [], model: dear, sampling: {max_tokens: 50}, instruction: Do.}',
    );
    expect(envelope).toEqual({
      inputTokens: 2000,
      outputTokens: 150,
      cost: (1000 * 1 + 100 * 10 + 1000 * 10 + 50 * 100) / 1e6,
      unpriced: [],
    });
  });

  it('is not known when a model has no price', () => {
    const { envelope } = flight('- {name: a, tools: [], model: strange, instruction: Do.}');
    expect(envelope).toMatchObject({ cost: null, unpriced: ['strange'] });
  });

  it('ends at the limit of the turn on tokens', () => {
    const { envelope } = flight('- {name: a, instruction: Do.}', 'tools: [maps]\n  limits: {tokens: 1100}');
    expect(envelope.inputTokens + envelope.outputTokens).toBeLessThanOrEqual(1101);
  });
});

describe('the blast radius', () => {
  it('says of each step what it reaches, and what may write', () => {
    const { reach } = flight(
      [
        '- {name: a, tools: [maps], instruction: Do.}',
        '- {name: b, call: {tool: "depot:list"}}',
        '- {name: c, call: {tool: "depot:load"}}',
        '- {name: d, set: {var: x, value: "1"}}',
      ].join('\n'),
    );
    const seen = reach.map(({ step, tools }) => [
      step,
      ...tools.map(({ server, tool, writes }) => [server, tool, writes]),
    ]);
    expect(seen).toEqual([
      ['a', ['maps', '', true]],
      ['b', ['depot', 'list', false]],
      ['c', ['depot', 'load', true]],
    ]);
  });

  it('counts a server chosen at run time as any', () => {
    const any = { server: '', tool: 'load', dynamic: true, writes: true };
    expect(reaches(any, 'depot:load')).toBe(true);
    expect(reaches(any, 'depot:list')).toBe(false);
    expect(reaches({ ...any, server: 'maps', tool: '' }, 'depot')).toBe(false);
    expect(reaches({ ...any, server: 'maps', tool: '' }, 'maps:draw')).toBe(true);
  });

  it('of a playbook is that of its one model', () => {
    const report = preflight(skillOf('playbook: Do what is asked.\n'), INPUT);
    expect(report).toMatchObject({ mode: 'playbook', worst: { generations: 42, calls: 40 } });
    const own = { server: 'builtin', tool: 'activate_skill', dynamic: false, writes: false };
    expect(report.reach.flatMap((step) => step.tools)).toContainEqual(own);
    const servers = report.reach.flatMap(({ tools }) => tools.map(({ server }) => server));
    expect(servers).toEqual(expect.arrayContaining(['maps', 'depot']));
  });
});

describe('dead parts', () => {
  it('are steps behind one that always ends the turn', () => {
    const { unreachable } = flight(
      [
        '- if: {cond: input is empty, then: [{exit: {reason: none}}], else: [{exit: {reason: some}}]}',
        '- {name: tell, tools: [], instruction: Do.}',
      ].join('\n'),
    );
    expect(unreachable).toMatchObject([
      { step: 'tell', reason: '"#1" before it ends the turn whatever happens' },
    ]);
    const guarded =
      '- {when: input is empty, exit: {reason: none}}\n- {name: tell, tools: [], instruction: Do.}';
    expect(flight(guarded).unreachable).toEqual([]);
  });

  it('are variables that nothing reads', () => {
    const { unread } = flight(
      [
        '- {name: a, call: {tool: "depot:list", save_as: seen}}',
        '- {name: b, call: {tool: "depot:list", save_as: unseen}}',
        '- {name: c, tools: [], instruction: "Say {{seen.name}}."}',
        '- {name: d, set: {var: told, value: "1"}}',
        '- {exit: {reason: "{{told}}"}}',
      ].join('\n'),
    );
    expect(unread.map(({ variable }) => variable)).toEqual(['unseen']);
  });
});

describe('a skill whose flow is code', () => {
  const code = (limits: string, runtime = 'kit'): Skill => {
    const text = `skill_engine_version: "2.5.0"\nname: ferry\ndescription: Mends.\nservers: [yard]\ncode: {runtime: ${runtime}, file: bin/f.mjs, sha256: ${'a'.repeat(64)}${limits}}\n`;
    const { skill } = loadSkill(text);
    if (skill === null) throw new Error('the skill of this test is refused');
    return skill;
  };
  const input = { effects: { yard: 'read' }, modelOf: () => ({}), guess: { input: 10, output: 5 } } as const;

  it('reaches its servers and whatever its actions do', () => {
    expect(preflight(code(''), input).reach).toMatchObject([
      {
        kind: 'code',
        step: 'ferry',
        tools: [
          { server: 'yard', writes: false },
          { server: 'action', writes: true },
        ],
      },
    ]);
  });

  it('reaches commands in the place of actions when it is a program', () => {
    const [reach] = preflight(code('', 'program'), input).reach;
    expect(reach?.tools.map(({ server, writes }) => [server, writes])).toEqual([
      ['yard', false],
      ['command', true],
    ]);
  });

  it('is open-ended without a limit of generations, and bounded by one', () => {
    expect(preflight(code(''), input)).toMatchObject({ mode: 'code', openEnded: true });
    const bounded = preflight(code(', limits: {generations: 4}'), input);
    expect(bounded).toMatchObject({ openEnded: false, worst: { generations: 4 } });
    expect(bounded.envelope).toMatchObject({ inputTokens: 40, outputTokens: 20 });
  });
});
