import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import { action, type ActionConfig } from './action.ts';
import { module } from './module.ts';
import { reference } from './reference.ts';
import { terminal } from './terminal.ts';

describe('action', () => {
  const config = { name: 'a', input: type({}), output: type({}), run: () => ({}) };

  it('is frozen, and done once unless it says otherwise', () => {
    expect(action(config)).toEqual({ kind: 'action', ...config, effect: 'once' });
    expect(Object.isFrozen(action(config))).toBe(true);
    expect(action({ ...config, effect: 'read', timeoutMs: 5 })).toMatchObject({
      effect: 'read',
      timeoutMs: 5,
    });
  });

  it.each(['name', 'input', 'output', 'run'] as const)('is refused without %s', (field) => {
    const without = { ...config, [field]: undefined } as unknown as ActionConfig<object, object>;
    expect(() => action(without)).toThrow(`action: ${field} is required`);
  });
});

describe('module', () => {
  it('is refused without a name, and when its entry is no step', () => {
    expect(() => module({ name: '', entry: 'a' }).step('a', { next: terminal }).build()).toThrow(
      'module: name is required',
    );
    expect(() => module({ name: 'm', entry: 'q' }).step('a', { next: terminal }).build()).toThrow(
      /^module: the entry "q"/u,
    );
    expect(() => module({ name: 'm', entry: 'q' }).build()).toThrow(/^module: it has no steps/u);
  });
});

describe('reference', () => {
  it('has its keys in one order', () => {
    const definition = reference({ name: 'r', description: 'd' })
      .topic('t', { label: 'T', content: () => 'text' })
      .build();
    expect(Object.keys(definition)).toEqual([
      'kind',
      'name',
      'version',
      'resolveVersion',
      'description',
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
      'topics',
    ]);
    expect(Object.isFrozen(definition.topics)).toBe(true);
  });

  it('is refused without a description, a fit name or topics', () => {
    expect(() => reference({ name: 'r', description: '' }).build()).toThrow(
      'reference: description is required',
    );
    expect(() => reference({ name: 'R', description: 'd' }).build()).toThrow(/^reference: "R" is no name/u);
    expect(() => reference({ name: 'r', description: 'd' }).build()).toThrow(/^reference: it has no topics/u);
  });
});
