import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KitError } from '../kit-error.ts';
import { skillReferences } from './skill-references.ts';

let folder = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kit-references-')));
  mkdirSync(join(folder, 'references', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'references', 'tides.md'), '# Tides\n');
  writeFileSync(join(folder, 'references', 'deep', 'er.md'), 'deep');
  writeFileSync(join(folder, 'secret'), 'secret');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the files beside a skill', () => {
  it('are read from its references', () => {
    const refs = skillReferences(folder);
    expect(refs.load('tides.md')).toBe('# Tides\n');
    expect(refs.load('deep/er.md')).toBe('deep');
  });

  it('are refused with REFERENCE_MISSING when they are not there', () => {
    const load = () => skillReferences(folder).load('fog.md');
    expect(load).toThrow(KitError);
    expect(load).toThrow('reference "fog.md" cannot be read');
  });

  it.each(['../secret', '/etc/passwd', 'deep/../../secret', '..'])(
    'are not reached outside, as by %s',
    (name) => {
      expect(() => skillReferences(folder).load(name)).toThrow('lies outside');
    },
  );

  it('have absolute paths', () => {
    expect(skillReferences(folder).asset('a.txt')).toBe(join(folder, 'a.txt'));
    expect(() => skillReferences(folder).asset('../a.txt')).toThrow('lies outside');
  });
});
