import { describe, expect, it } from 'vitest';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { packageFile } from './package-file.ts';

const definition = { name: 'tea', version: '1.2.0', package: undefined } as SkillDefinition;

describe('packageFile', () => {
  it('has the name and the version of the skill', () => {
    expect(packageFile(definition, null)).toEqual({
      text: '{\n  "name": "tea",\n  "version": "1.2.0"\n}',
      warning: null,
    });
  });

  it('puts what the skill says of its package over what is there, and its version over both', () => {
    const given = { ...definition, package: { name: '@acme/tea', license: 'MIT', version: '9.9.9' } };
    const { text } = packageFile(given, '{"license": "ISC", "private": true, "version": "0.1.0"}');
    expect(JSON.parse(text)).toEqual({ license: 'MIT', private: true, version: '1.2.0', name: '@acme/tea' });
  });

  it.each(['{', '[]', 'null'])('tells of a package.json that is no object: %s', (existing) => {
    const { text, warning } = packageFile(definition, existing);
    expect(JSON.parse(text)).toEqual({ name: 'tea', version: '1.2.0' });
    expect(warning).toContain('package.json');
  });
});
