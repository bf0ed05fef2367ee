import type { JsonObject } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import {
  argumentAssetRefs,
  compileArguments,
  type ExpandedArguments,
  expandArguments,
  joinFill,
} from './arguments.ts';
import type { Environment } from './environment.ts';
import { readPath } from './reference.ts';

type Values = Record<string, string>;

function expand(args: JsonObject, vars: Values = {}, memory: Values = {}): ExpandedArguments {
  const env: Environment = {
    vocabulary: { decisionMarkers: [], truncationNotes: ['cut:'] },
    variable: (name) => vars[name],
    asset: (name) => `<${name}>`,
    memory: (handle, at) => (memory[handle] === undefined ? { found: false } : readPath(memory[handle], at)),
  };
  return expandArguments(compileArguments(args), env);
}

describe('expandArguments', () => {
  it('expands every string however deep and leaves keys and other values alone', () => {
    const args = { '{{x}}': 1, a: ['{{x}}', true, null, { b: '<{{x}}>', c: 2.5 }], d: 'plain' };
    expect(expand(args, { x: 'X' })).toEqual({
      args: { '{{x}}': 1, a: ['X', true, null, { b: '<X>', c: 2.5 }], d: 'plain' },
      fill: [],
      deliver: [],
    });
  });

  it('replaces an asset passed by reference and remembers it for its route', () => {
    const { args, deliver } = expand({
      a: { from: 'asset:one' },
      b: [{ c: { from: 'asset:two' } }],
      d: '{{asset:three}}',
    });
    expect(args).toEqual({ a: '<one>', b: [{ c: '<two>' }], d: '<three>' });
    expect(deliver).toEqual(['one', 'two']);
  });

  it('does not take a from beside another key, or at the very top, for a reference', () => {
    expect(expand({ a: { from: 'asset:one', lines: 2 } }).args).toEqual({
      a: { from: 'asset:one', lines: 2 },
    });
    expect(expand({ from: 'asset:one' })).toMatchObject({ args: { from: 'asset:one' }, deliver: [] });
  });

  it('passes a handle on with the id in it', () => {
    expect(expand({ stdin: { from: '{{t.mem}}' } }, { 't.mem': 'h42' })).toEqual({
      args: { stdin: { from: 'h42' } },
      fill: [],
      deliver: [],
    });
  });

  it('leaves a value held by handle to the worker, and says where it goes', () => {
    const vars = { t: 'bo…\n[mem:h]', x: 'X' };
    expect(expand({ a: [{ b: '{{x}}<{{t}}>{{t}}!' }] }, vars)).toEqual({
      args: { a: [{ b: 'X<bo>bo!' }] },
      fill: [
        {
          at: ['a', 0, 'b'],
          parts: [
            { text: 'X<' },
            { handle: 'h', otherwise: 'bo' },
            { text: '>' },
            { handle: 'h', otherwise: 'bo' },
            { text: '!' },
          ],
        },
      ],
      deliver: [],
    });
  });

  it('cuts declared notes and keeps the blanks of a value without any', () => {
    expect(expand({ a: '{{t}}', b: '{{s}}' }, { t: ' lots…\n[cut: 9]', s: '  s  ' }).args).toEqual({
      a: 'lots',
      b: '  s  ',
    });
  });

  it('reads a field of a value held by handle through memory', () => {
    const { args, fill } = expand({ a: '{{t.k}}' }, { t: '{"k":…\n[mem:h]' }, { h: '{"k":"v\\n[mem:zz]"}' });
    expect(args).toEqual({ a: 'v' });
    expect(fill).toEqual([{ at: ['a'], parts: [{ handle: 'zz', otherwise: 'v' }] }]);
  });

  it('keeps a key named __proto__ as an ordinary key', () => {
    const args = JSON.parse('{"__proto__": {"a": "{{x}}"}}') as JsonObject;
    expect(JSON.stringify(expand(args, { x: '1' }).args)).toBe('{"__proto__":{"a":"1"}}');
  });

  it('gives the same arguments again when it is asked again', () => {
    const plan = compileArguments({ a: '{{x}}', b: { c: [1] } });
    const env = (x: string): Environment => ({
      vocabulary: { decisionMarkers: [], truncationNotes: [] },
      variable: () => x,
      asset: () => '',
      memory: () => undefined,
    });
    expect(expandArguments(plan, env('1')).args).toEqual({ a: '1', b: { c: [1] } });
    expect(expandArguments(plan, env('2')).args).toEqual({ a: '2', b: { c: [1] } });
  });
});

describe('joinFill', () => {
  const parts = [{ text: '<' }, { handle: 'h', otherwise: 'bo' }, { text: '>' }];

  it('puts in the whole value without its closing notes', () => {
    expect(joinFill(parts, () => 'body\n[cut: 1]\n[mem:h]', ['cut:'])).toEqual({
      text: '<body>',
      unread: [],
    });
  });

  it('falls back to the fragment and names the handle', () => {
    expect(joinFill(parts, () => undefined, [])).toEqual({ text: '<bo>', unread: ['h'] });
  });

  it('takes an empty whole value for what it is', () => {
    expect(joinFill(parts, () => '', [])).toEqual({ text: '<>', unread: [] });
  });
});

describe('argumentAssetRefs', () => {
  it('lists what is passed by reference, not what is put into texts', () => {
    expect(
      argumentAssetRefs({
        x: { from: 'asset:p' },
        y: [{ from: 'asset:q' }, { from: 'asset:r', n: 1 }],
        z: '{{asset:s}}',
      }),
    ).toEqual(['p', 'q']);
  });
});
