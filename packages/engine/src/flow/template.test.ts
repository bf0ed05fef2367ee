import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Environment } from './environment.ts';
import { readPath } from './reference.ts';
import { assetRefs, expandTemplate, parseTemplate } from './template.ts';

type Values = Record<string, string>;

function environment(
  vars: Values,
  { assets = {}, memory = {} }: { assets?: Values; memory?: Values } = {},
): Environment {
  return {
    vocabulary: { decisionMarkers: [], truncationNotes: [] },
    variable: (name) => vars[name],
    asset: (name) => assets[name] ?? '',
    memory: (handle, at) => (memory[handle] === undefined ? { found: false } : readPath(memory[handle], at)),
  };
}

const expand = (text: string, env: Environment): string =>
  expandTemplate(parseTemplate(text), env, 'model').text;

describe('parseTemplate', () => {
  it('keeps a text without braces as one part', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(parseTemplate(text).parts).toEqual(text === '' ? [] : [text]);
      }),
    );
  });

  it('never loses a character of what it does not replace', () => {
    const pieces = fc.constantFrom(
      '{',
      '{{',
      '}}',
      ' ',
      'a',
      '.b',
      '[0]',
      '[*]',
      'asset:',
      '-',
      'я',
      '\u00a0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        const written = parseTemplate(text).parts.map((part) =>
          typeof part === 'string'
            ? part
            : 'ref' in part
              ? `{{${part.ref.text}}}`
              : `{{asset:${part.asset}}}`,
        );
        const hole = /\{\{[ \t]*(\S+?)[ \t]*\}\}/g;
        expect(written.join('').replace(hole, '{{$1}}')).toBe(text.replace(hole, '{{$1}}'));
      }),
    );
  });

  it('reads hostile input a bounded number of times per character', () => {
    const hostile = (length: number): string[] => [
      '{'.repeat(length),
      '{{ '.repeat(length / 3),
      `{{${'a.'.repeat(length / 2)}`,
      `{{${' '.repeat(length)}`,
      `{{a${'[0]'.repeat(length / 3)}{{`,
    ];
    const reads = (length: number): number => {
      const spy = vi.spyOn(String.prototype, 'charCodeAt');
      const parts = hostile(length).map((text) => parseTemplate(text).parts.length);
      const count = spy.mock.calls.length;
      spy.mockRestore();
      expect(parts).toEqual([1, 1, 1, 1, 1]);
      return count;
    };
    expect(reads(30_000)).toBeLessThan(reads(3_000) * 11);
  });
});

describe('expandTemplate', () => {
  it('puts variables and assets in, in one pass, and expands nothing that was put in', () => {
    const env = environment({ x: '{{y}} {{asset:a}}', y: 'no' }, { assets: { a: 'v={{x}}' } });
    expect(expand('{{x}}|{{ asset:a }}', env)).toBe('{{y}} {{asset:a}}|v={{x}}');
  });

  it('allows ASCII blanks inside braces and finds the innermost pair', () => {
    const env = environment({ x: '1' });
    expect(expand('{{\t\nx  }}{{{x}}}{{ {{x}} }}', env)).toBe('1{1}{{ 1 }}');
  });

  it.each([
    '{{1a}}',
    '{{a-b}}',
    '{{a.0}}',
    '{{a[*]}}',
    '{{а}}',
    '{{}}',
    '{{ }}',
    '{a}',
    '{{a',
    '{{\u00a0x}}',
    '{{asset:1a}}',
    '{{asset: a}}',
    '{{asset:}}',
    '{{x|y}}',
  ])('leaves %s as it is', (text) => {
    expect(expand(text, environment({ x: '1', a: '1' }))).toBe(text);
  });

  it('does not read dollar signs in values as patterns', () => {
    expect(expand('<{{x}}>', environment({ x: '$1 $& $$' }))).toBe('<$1 $& $$>');
  });

  it('shows a model with tools the stored text and one without the whole value', () => {
    const env = environment({ t: 'bo…\n[mem:h]' }, { memory: { h: 'body\n[mem:h]' } });
    const template = parseTemplate('<{{t}}>');
    expect(expandTemplate(template, env, 'model').text).toBe('<bo…\n[mem:h]>');
    expect(expandTemplate(template, env, 'whole')).toEqual({ text: '<body>', unreachable: '', gone: '' });
  });

  it('names the first reference whose whole value could not be read', () => {
    const env = environment({ a: 'A', t: 'bo…\n[mem:h]', u: 'x\n[mem:i]' });
    expect(expandTemplate(parseTemplate('{{a}}{{t}}{{u}}'), env, 'whole')).toEqual({
      text: 'Abox',
      unreachable: 't',
      gone: '',
    });
  });

  it('says why a value is gone, also on the way to a field', () => {
    const env: Environment = {
      ...environment({ t: 'bo…\n[mem:h]' }),
      memory: () => ({ found: false, gone: 'expired' }),
    };
    expect(expandTemplate(parseTemplate('{{t}}'), env, 'whole')).toEqual({
      text: 'bo',
      unreachable: 't',
      gone: 'expired',
    });
    expect(expandTemplate(parseTemplate('{{t.k}}'), env, 'model')).toEqual({
      text: '',
      unreachable: '',
      gone: 'expired',
    });
  });

  it('fails with REFERENCE_UNRESOLVED for the first path that leads nowhere', () => {
    expect(() => expand('{{d.a.b}} {{e.f.g}}', environment({ d: '{}', e: '{}' }))).toThrow(
      'd.a.b does not resolve',
    );
  });
});

describe('assetRefs', () => {
  it('lists the assets a text names, in order and with repetitions', () => {
    expect(assetRefs('{{asset:b}} {{x}} {{ asset:a-1 }}{{asset:b}} asset:z {{asset:1}}')).toEqual([
      'b',
      'a-1',
      'b',
    ]);
  });
});
