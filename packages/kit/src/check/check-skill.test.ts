import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type } from 'arktype';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SkillDefinition, StepConfig } from '../definition/skill-definition.ts';
import { act } from '../primitives/act.ts';
import { checkReport } from './check-report.ts';
import { checkSkill } from './check-skill.ts';

const END = { terminal: true } as const;

function skill(steps: Record<string, StepConfig>, more: Partial<SkillDefinition> = {}): SkillDefinition {
  const entry = Object.keys(steps)[0] ?? '';
  return { kind: 'skill', name: 'probe', version: '0.0.0', entry, steps, ...more } as SkillDefinition;
}

function found(definition: SkillDefinition, rootDir = '/nowhere'): string[] {
  return checkSkill(definition, rootDir).map(
    ({ rule, severity, step, message }) => `${severity} ${rule} ${step ?? '-'}: ${message}`,
  );
}

function rules(definition: SkillDefinition, rootDir?: string): string[] {
  return checkSkill(definition, rootDir ?? '/nowhere').map(({ rule, step }) => `${rule} ${step ?? '-'}`);
}

const options = (...values: string[]) => values.map((value) => ({ value, label: value }));

describe('checkSkill on the graph', () => {
  it('warns of each step of a cycle that has no limit', () => {
    const steps = { a: { next: 'b' }, b: { next: 'a', maxVisits: 3 } };
    expect(found(skill(steps))).toEqual([
      'warning cycle-guard -: step "a" can be reached again from itself and has no maxVisits: it is stopped after 10 visits',
    ]);
  });

  it.each<[string, StepConfig['next']]>([
    ['by its name', [{ to: 'a', when: () => false }, { to: 'b' }]],
    ['by self', [{ to: 'self', when: () => false }, { to: 'b' }]],
    ['in a function that says so', ({ attempts }) => (attempts > 2 ? 'b' : 'self')],
  ])('warns of a step that leads to itself %s', (_, next) => {
    expect(rules(skill({ a: { next }, b: { next: END } }))).toEqual(['cycle-guard -']);
    expect(rules(skill({ a: { next, maxVisits: 3 }, b: { next: END } }))).toEqual([]);
  });

  it('does not suspect a function that never names its own step', () => {
    const steps: Record<string, StepConfig> = {
      a: { next: ({ attempts }) => (attempts > 2 ? END : 'b') },
      b: { next: END },
    };
    expect(rules(skill(steps))).toEqual([]);
  });

  it('refuses a guard that leads nowhere', () => {
    const steps = { a: { next: 'b', maxVisits: 2, onMaxVisits: 'ghost' }, b: { next: 'a' } };
    expect(rules(skill(steps))).toContain('cycle-guard -');
    expect(rules(skill(steps))).toContain('dead-target a');
  });

  it('refuses targets that are nowhere, and knows sub-skills and topics', () => {
    const definition = skill(
      {
        a: {
          next: [{ to: 'subskill:in', when: () => true }, { to: 'topic:t', when: () => true }, { to: 'b' }],
        },
        b: { next: [{ to: 'subskill:out', when: () => true }, { to: 'nowhere' }], maxVisits: 1 },
      },
      {
        subskills: { in: { definition: skill({ x: { next: END } }) } },
        topics: { t: { label: 'T', content: () => '' } },
      },
    );
    expect(found(definition)).toEqual([
      'error dead-target b: step "b" leads to "subskill:out", which is no step, no subskill: and no topic: of this skill',
      'error dead-target b: step "b" leads to "nowhere", which is no step, no subskill: and no topic: of this skill',
    ]);
  });

  it('warns of steps that nothing leads to, and takes a function to lead everywhere', () => {
    const steps = { a: { next: END }, b: { next: 'a' } };
    expect(rules(skill(steps))).toEqual(['unreachable-step b']);
    expect(rules(skill({ ...steps, a: { next: () => END } }))).not.toContain('unreachable-step b');
  });

  it('refuses a slash in the name of a step', () => {
    expect(rules(skill({ 'a/b': { next: END } }))).toEqual(['composite-step-name a/b']);
  });
});

describe('checkSkill on prompts', () => {
  it('refuses the tool of one host in every kind of prompt', () => {
    const steps: Record<string, StepConfig> = {
      a: { prompt: 'Use TodoWrite.', next: 'b' },
      b: { prompt: [act.confirm({ message: 'Shall I use TodoWrite?' })], next: 'c' },
      c: { prompt: () => `Use ${String(1)} TodoWrite.`, next: END },
    };
    expect(rules(skill(steps))).toEqual([
      'no-host-tool-names a',
      'no-host-tool-names b',
      'no-host-tool-names c',
    ]);
  });

  it('does not take code for prose', () => {
    const prompt: StepConfig['prompt'] = ({ act: own }) => [own.plan({ summary: 's', steps: [] })];
    expect(rules(skill({ a: { prompt, next: END } }))).toEqual([]);
  });

  it('lets a prompt name a tool that it has asked the host for, and warns where many ask', () => {
    const prompt: StepConfig['prompt'] = ({ host }) =>
      host.toolsAvailable.includes('ask-user') ? 'Use ask-user.' : 'Ask.';
    expect(rules(skill({ a: { prompt, next: END } }))).toEqual([]);
    expect(rules(skill({ a: { prompt, next: 'b' }, b: { prompt, next: END } }))).toEqual([
      'host-branching-density -',
    ]);
  });

  it('warns of a tool that no host has', () => {
    const prompt: StepConfig['prompt'] = ({ host }) => (host.toolsAvailable.includes('Misspelt') ? 'x' : 'y');
    expect(rules(skill({ a: { prompt, next: END } }))).toEqual(['unknown-tool-names a']);
  });

  it('says of which sub-skill it speaks', () => {
    const inner = skill({ i: { prompt: 'Use TodoWrite.', next: END } });
    const outer = skill({ a: { next: 'subskill:in' } }, { subskills: { in: { definition: inner } } });
    expect(checkSkill(outer, '/nowhere')[0]?.message).toMatch(
      /^\[subskill:in\] the prompt of step "i" names "TodoWrite"/,
    );
  });
});

describe('checkSkill on options', () => {
  const ask = (...values: string[]) =>
    act.askUser({ type: 'structured', question: 'q', options: options(...values) });

  it('compares the options with the property that is meant', () => {
    const response = type({ pick: "'x' | 'z'", other: "'p' | 'q'" });
    expect(found(skill({ a: { prompt: ask('x', 'y'), response, next: END } }))).toEqual([
      'error primitive-schema-mismatch a: step "a" offers [y], which its response schema refuses',
      'warning primitive-schema-mismatch a: the response schema of step "a" takes [z], which no option offers',
    ]);
  });

  it.each([
    ['several answers', ask('x', 'y'), type({ picks: "('x' | 'y')[]" })],
    ['free text', ask('x', 'y'), type({ pick: 'string', mood: "'good' | 'bad'" })],
    ['no list of values', ask('x', 'y'), type({ pick: 'string' })],
    ['a survey', act.survey([{ question: 'q', options: options('x', 'y') }]), type({ pick: "'x' | 'y'" })],
  ])('is content with %s', (_, prompt, response) => {
    expect(rules(skill({ a: { prompt, response, next: END } }))).toEqual([]);
  });

  it('looks at every question of a prompt', () => {
    const response = type({ one: "'x' | 'y'", two: "'p' | 'q'" });
    expect(rules(skill({ a: { prompt: [ask('x', 'y'), ask('p', 'r')], response, next: END } }))).toEqual([
      'primitive-schema-mismatch a',
      'primitive-schema-mismatch a',
    ]);
  });
});

describe('checkSkill on references', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kit-check-'));
    mkdirSync(join(folder, 'references'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('warns of files that no step loads, and of long ones', () => {
    for (const name of ['used.md', 'topic.md', 'orphan.md', '.hidden'])
      writeFileSync(join(folder, 'references', name), 'x');
    writeFileSync(join(folder, 'references', 'used.md'), 'x'.repeat(9000));
    const definition = skill(
      { a: { prompt: ({ refs }) => refs.load('used.md'), next: END } },
      { topics: { t: { label: 'T', content: ({ refs }) => refs.load('topic.md') } } },
    );
    const diagnostics = checkSkill(definition, folder);
    expect(diagnostics.map(({ rule, file, message }) => `${rule} ${file ?? '-'}: ${message}`)).toEqual([
      'orphan-references references/orphan.md: no step loads "orphan.md"',
      'orphan-references references/topic.md: no step loads "topic.md"; only a topic does',
      'reference-size references/used.md: "used.md" has 9000 bytes, more than 8 KiB; split it, or load a part of it where it is wanted',
    ]);
    expect(checkReport(definition, diagnostics).slice(-3)).toEqual([
      expect.stringMatching(/^⚠ reference-size \[references\/used\.md\]: /),
      '',
      '3 warning(s).',
    ]);
  });
});
