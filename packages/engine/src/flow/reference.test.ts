import { SkillyardError } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import type { Environment, MemoryAnswer } from './environment.ts';
import { lookUp, parseReference, readPath, readReference } from './reference.ts';

type Values = Record<string, string>;

function environment(
  vars: Values,
  memory: (handle: string, at: string) => MemoryAnswer | undefined,
): Environment {
  return {
    vocabulary: { decisionMarkers: [], truncationNotes: ['cut:'] },
    variable: (name) => vars[name],
    asset: () => '',
    memory,
  };
}

function read(text: string, vars: Values, memory: Values = {}): string {
  const reference = parseReference(text);
  if (reference === undefined) throw new Error(`no reference: ${text}`);
  const whole = (handle: string, at: string): MemoryAnswer =>
    memory[handle] === undefined ? { found: false } : readPath(memory[handle], at);
  return readReference(reference, environment(vars, whole));
}

function failure(text: string, vars: Values, memory: Values = {}): string {
  try {
    read(text, vars, memory);
  } catch (error) {
    if (SkillyardError.is(error, 'REFERENCE_UNRESOLVED')) return error.message;
    throw error;
  }
  throw new Error('expected REFERENCE_UNRESOLVED');
}

describe('parseReference', () => {
  it('takes a name and its path apart', () => {
    expect(parseReference('rows[02].id')).toEqual({
      text: 'rows[02].id',
      base: 'rows',
      path: [2, 'id'],
      at: '[02].id',
      quiet: false,
    });
  });

  it('calls a lone field quiet, and nothing else', () => {
    expect(parseReference('d.k')?.quiet).toBe(true);
    expect(parseReference('d')?.quiet).toBe(false);
    expect(parseReference('d[0]')?.quiet).toBe(false);
    expect(parseReference('d.a.b')?.quiet).toBe(false);
  });

  it('marks an index that fits no integer', () => {
    expect(parseReference('d[9223372036854775807]')?.path).toEqual([Number('9223372036854775807')]);
    expect(parseReference('d[9223372036854775808]')?.path).toEqual([null]);
    expect(parseReference('d[00000000000000000000007]')?.path).toEqual([7]);
  });

  it('allows ASCII blanks around it and no others', () => {
    expect(parseReference(' \td\n')?.text).toBe('d');
    expect(parseReference('\u00a0d')).toBeUndefined();
  });

  it.each([
    '',
    '1a',
    'a.',
    '.a',
    'a..b',
    'a.0',
    'a[',
    'a[]',
    'a[-1]',
    'a[*]',
    'a-b',
    'a b',
    'имя',
    'a.имя',
    '{{a}}',
  ])('refuses %j', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });
});

describe('readReference', () => {
  it('gives the stored text of a variable untouched, notes included', () => {
    expect(read('v', { v: ' {"b": 1} \n[mem:h]' })).toBe(' {"b": 1} \n[mem:h]');
  });

  it('R1 prefers a variable stored under the exact spelling', () => {
    expect(read('a.b', { 'a.b': 'exact', a: '{"b":"walked"}' })).toBe('exact');
  });

  it('R2 is silent about an unknown name and about one missing field, whatever the cause', () => {
    expect(read('gone', {})).toBe('');
    expect(read('d.k', {})).toBe('');
    expect(read('d.k', { d: '{}' })).toBe('');
    expect(read('d.k', { d: 'not JSON' })).toBe('');
    expect(read('d.k', { d: '[1]' })).toBe('');
    expect(read('d.k', { d: '{"k": "v…\n[mem:h]' })).toBe('');
  });

  it('R2 is silent about an index that fits no integer', () => {
    expect(read('d[99999999999999999999].x.y', { d: '[1]' })).toBe('');
    expect(read('nobody[99999999999999999999]', {})).toBe('');
  });

  it('R3 names the reference and what is there instead when anything deeper leads nowhere', () => {
    expect(failure('d.zz.y', { d: '{"k":1,"l":2}' })).toBe(
      'd.zz.y does not resolve: there is nothing at .zz: the value is an object with the fields k, l.',
    );
    expect(failure('d[3]', { d: '[1]' })).toContain('the value is a list of 1 item');
    expect(failure('d[0]', { d: 'abc' })).toContain('not JSON: "abc"');
    expect(failure('nobody[0]', {})).toContain('nothing has written the variable nobody');
    expect(failure('d[0]', { d: 'x\n[mem:h]' })).toContain('no value under the handle h');
  });

  it('R4 walks the value without its notes and asks memory only when that is not JSON', () => {
    expect(read('d.k', { d: '{"k":"near"}\n[mem:h]' }, { h: '{"k":"far"}' })).toBe('near');
    expect(read('d.k', { d: '{"k":"ne…\n[mem:h]' }, { h: '{"k":"far"}' })).toBe('far');
    expect(read('d.rows[1].id', { d: '[mem:h]' }, { h: '{"rows":[{},{"id":7}]}' })).toBe('7');
    expect(failure('d.rows[1]', { d: '[mem:h]' }, { h: '{"rows":[0]}' })).toContain(
      '.rows is a list of 1 item',
    );
  });

  it('renders again what it walked to', () => {
    const vars = { d: '{"o": {"z": 1.0, "10": null, "a": [ "<" ]}, "s": "a\\nb", "n": null}' };
    expect(read('d.o', vars)).toBe('{"z":1,"10":null,"a":["<"]}');
    expect(read('d.s', vars)).toBe('a\nb');
    expect(read('d.n', vars)).toBe('null');
  });
});

describe('lookUp', () => {
  const deep = parseReference('d.a.b');
  const quiet = parseReference('d.a');

  it('says that a value is not there yet instead of failing', () => {
    const env = environment({ d: 'x\n[mem:h]' }, () => undefined);
    expect(deep && lookUp(deep, env)).toEqual({ text: '', gone: '', pending: true });
  });

  it('says why a value can no longer be read', () => {
    const env = environment({ d: 'x\n[mem:h]' }, () => ({
      found: false,
      gone: 'the value behind h has expired',
    }));
    expect(quiet && lookUp(quiet, env)).toEqual({
      text: '',
      gone: 'the value behind h has expired',
      pending: false,
    });
    expect(() => deep && lookUp(deep, env)).toThrow('has expired');
  });
});

describe('readPath', () => {
  it('gives the text itself without a path', () => {
    expect(readPath('not JSON\n[mem:h]', '')).toEqual({ found: true, text: 'not JSON\n[mem:h]' });
  });

  it('walks a whole value without the notes below it', () => {
    expect(readPath('{"a":[{"b":2.50}]}\n[cut: 1]\n[mem:h]', '.a[0].b', ['cut:'])).toEqual({
      found: true,
      text: '2.5',
    });
  });

  it('says what is there when the path leads nowhere', () => {
    expect(readPath('{"a":1}', '.b')).toMatchObject({
      found: false,
      miss: expect.stringContaining('fields a'),
    });
    expect(readPath('plain', '.b')).toMatchObject({
      found: false,
      miss: expect.stringContaining('not JSON'),
    });
    expect(readPath('{"a":1}', '.b-c')).toMatchObject({
      found: false,
      miss: expect.stringContaining('not a path'),
    });
  });
});
