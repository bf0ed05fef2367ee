import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { action } from './action.ts';
import { module } from './module.ts';
import { skill } from './skill.ts';
import { step } from './step-definition.ts';
import { terminal } from './terminal.ts';

const KEYS = [
  'kind',
  'name',
  'version',
  'description',
  'entry',
  'system',
  'params',
  'steps',
  'observers',
  'finalOutput',
  'skillMd',
  'resolveVersion',
  'package',
  'argumentHint',
  'arguments',
  'allowedTools',
  'paths',
  'context',
  'license',
  'compatibility',
  'agent',
  'model',
  'effort',
  'disableModelInvocation',
  'userInvocable',
];

const one = (): SkillDefinition =>
  skill({ name: 'one', entry: 'a' }).step('a', { prompt: 'p', next: terminal }).build();

describe('a built skill', () => {
  it('has its keys in one order, absent ones included', () => {
    expect(Object.keys(one())).toEqual(KEYS);
  });

  it('has stores, sub-skills, topics and settings for the platform only when there are some', () => {
    const definition = skill({
      name: 'all',
      entry: 'a',
      stores: { env: type({ host: 'string' }) },
      hosted: { maxRetries: 1 },
    })
      .step('a', { prompt: 'p', next: 'subskill:one' })
      .subskill('one', one())
      .topic('t', { label: 'T', content: () => 'text' })
      .build();
    expect(Object.keys(definition)).toEqual([
      ...KEYS.slice(0, KEYS.indexOf('steps') + 1),
      'stores',
      ...KEYS.slice(KEYS.indexOf('steps') + 1),
      'subskills',
      'topics',
      'hosted',
    ]);
    const bare = skill({ name: 'bare', entry: 'a', stores: {} }).step('a', { next: terminal }).build();
    expect(Object.keys(bare)).toEqual(KEYS);
  });

  it('is frozen, its tables and its steps as well', () => {
    const definition = one();
    expect(Object.isFrozen(definition)).toBe(true);
    expect(Object.isFrozen(definition.steps)).toBe(true);
    expect(Object.isFrozen(definition.steps.a)).toBe(true);
  });

  it('does not change when its builder goes on', () => {
    const builder = skill({ name: 'one', entry: 'a' }).step('a', { prompt: 'p', next: 'b' });
    const before = builder.build();
    builder.step('b', { prompt: 'p', next: terminal });
    expect(Object.keys(before.steps)).toEqual(['a']);
    expect(Object.keys(builder.build().steps)).toEqual(['a', 'b']);
  });

  it('knows no step that nobody declared, whatever objects have', () => {
    expect('constructor' in one().steps).toBe(false);
    const definition = skill({ name: 'odd', entry: '__proto__' })
      .step('__proto__', { prompt: 'p', next: terminal })
      .build();
    expect(Object.keys(definition.steps)).toEqual(['__proto__']);
  });

  it('has the last of two steps of one name', () => {
    const definition = skill({ name: 'twice', entry: 'a' })
      .step('a', { prompt: 'first', next: terminal })
      .step('a', { prompt: 'second', next: terminal })
      .build();
    expect(definition.steps.a?.prompt).toBe('second');
  });

  it.each([
    [undefined, undefined, undefined],
    ['Does it', [], 'Does it'],
    ['Does it', ['x', 'y'], 'Does it. Trigger keywords: x, y'],
    ['Does it.', ['x'], 'Does it. Trigger keywords: x'],
    [undefined, ['x'], 'Trigger keywords: x'],
  ])('is described by %j and the triggers %j as %j', (description, triggers, expected) => {
    const definition = skill({ name: 'd', entry: 'a', description, triggers })
      .step('a', { next: terminal })
      .build();
    expect(definition.description).toBe(expected);
  });

  it('may lead to where nothing is: that is found when it starts', () => {
    const definition = skill({ name: 'd', entry: 'a' }).step('a', { prompt: 'p', next: 'ghost' }).build();
    expect(definition.steps.a?.next).toBe('ghost');
  });
});

describe('a skill is refused', () => {
  const refused = (build: () => unknown): string => {
    try {
      build();
    } catch (error) {
      if (KitError.is(error, 'SKILL_DEFINITION_INVALID')) return error.message;
      throw error;
    }
    throw new Error('it was built');
  };

  it.each(['', 'Upper', 'under_score', 'a b', '-a', 'a-', 'a--b', '../a', 'a/b', 'x'.repeat(65)])(
    'when its name is %j',
    (name) => {
      const message = refused(() => skill({ name, entry: 'a' }).step('a', { next: terminal }).build());
      expect(message).toMatch(/^skill: /u);
    },
  );

  it('without an entry', () => {
    expect(refused(() => skill({ name: 'a', entry: '' }).step('a', { next: terminal }).build())).toBe(
      'skill: entry is required',
    );
  });

  it('without steps', () => {
    expect(refused(() => skill({ name: 'a', entry: 'a' }).build())).toMatch(/^skill: it has no steps/u);
  });

  it('when its entry is no step', () => {
    expect(refused(() => skill({ name: 'a', entry: 'z' }).step('a', { next: terminal }).build())).toMatch(
      /^skill: the entry "z"/u,
    );
  });

  it.each(['steps', 'step'])('when a store is called %s', (name) => {
    const build = () =>
      skill({ name: 'a', entry: 'a', stores: { [name]: type({}) } })
        .step('a', { next: terminal })
        .build();
    expect(refused(build)).toMatch(new RegExp(`^skill: .*"${name}"`, 'u'));
  });

  it('when a step does not say where it goes on', () => {
    const config = { prompt: 'p' } as unknown as { prompt: string; next: string };
    expect(refused(() => skill({ name: 'a', entry: 'a' }).step('a', config))).toMatch(
      /^step "a": next is required/u,
    );
    expect(refused(() => step(config))).toMatch(/^step: next is required/u);
    expect(
      refused(() =>
        skill({ name: 'a', entry: 'a' }).extend('a', step({ prompt: 'p', next: 'b' }), { next: undefined }),
      ),
    ).toMatch(/^step "a": next is required/u);
  });

  it('when a sub-skill has sub-skills', () => {
    const middle = skill({ name: 'mid', entry: 'a' })
      .step('a', { next: 'subskill:one' })
      .subskill('one', one())
      .build();
    expect(refused(() => skill({ name: 'top', entry: 'a' }).subskill('mid', middle))).toMatch(
      /^subskill "mid"/u,
    );
  });
});

describe('an action of a step', () => {
  const send = action({
    name: 'act1',
    input: type({ to: 'string', 'copy?': 'string' }),
    output: type({ ok: 'boolean' }),
    run: () => ({ ok: true }),
  });

  it('is refused when the response lacks what it needs', () => {
    const build = () =>
      skill({ name: 's', entry: 'a' }).step('a', {
        prompt: 'p',
        response: type({ text: 'string' }),
        action: { run: send },
        next: terminal,
      });
    expect(build).toThrow(/^Step "a" uses action "act1" without mapInput, but its response has no to;/u);
  });

  it('is taken when the response has it, or when its input is made', () => {
    const builder = skill({ name: 's', entry: 'a' })
      .step('a', { prompt: 'p', response: type({ to: 'string' }), action: { run: send }, next: 'b' })
      .step('b', {
        prompt: 'p',
        response: type({ text: 'string' }),
        action: { run: send, mapInput: ({ response }) => ({ to: response.text }) },
        next: terminal,
      });
    expect(Object.keys(builder.build().steps)).toEqual(['a', 'b']);
  });

  it('is not looked at when its contract cannot be written', () => {
    const odd = action({ name: 'odd', input: type({ at: 'Date' }), output: type({}), run: () => ({}) });
    const build = () =>
      skill({ name: 's', entry: 'a' }).step('a', {
        prompt: 'p',
        response: type({ text: 'string' }),
        action: { run: odd },
        next: terminal,
      });
    expect(build).not.toThrow();
  });
});

describe('reuse', () => {
  it('extends a step by what is replaced of it', () => {
    const base = step({ prompt: 'base', response: type({ q: 'string' }), next: '__parent__' });
    const definition = skill({ name: 's', entry: 'a' })
      .extend('a', base, { prompt: 'mine', next: 'b' })
      .step('b', base.extend({ next: terminal }))
      .build();
    expect(definition.steps.a).toMatchObject({ prompt: 'mine', next: 'b' });
    expect(definition.steps.b).toMatchObject({ prompt: 'base', next: { terminal: true } });
    expect(base.config.next).toBe('__parent__');
  });

  it('wires every way out of a module to where the skill goes on', () => {
    const group = module({ name: 'm', entry: 'plain' })
      .step('plain', { prompt: 'p', next: '__parent__' })
      .step('branching', {
        prompt: 'p',
        next: [{ to: 'plain', when: () => false }, { to: '__parent__' }],
        maxVisits: 2,
        onMaxVisits: '__parent__',
      })
      .step('deciding', { prompt: 'p', next: ({ attempts }) => (attempts > 1 ? '__parent__' : 'self') })
      .build();
    const { steps } = skill({ name: 's', entry: 'plain' })
      .register(group, { next: 'on' })
      .step('on', { next: terminal })
      .build();
    expect(Object.keys(steps)).toEqual(['plain', 'branching', 'deciding', 'on']);
    expect(steps.plain?.next).toBe('on');
    expect(steps.branching).toMatchObject({ next: [{ to: 'plain' }, { to: 'on' }], onMaxVisits: 'on' });
    const next = steps.deciding?.next;
    if (typeof next !== 'function') throw new Error('it is no function');
    const context = { response: {}, actionResult: undefined, params: {}, store: { steps: {} } as never };
    expect([1, 2].map((attempts) => next({ ...context, attempts }))).toEqual(['self', 'on']);
    expect(group.steps.plain?.next).toBe('__parent__');
  });
});
