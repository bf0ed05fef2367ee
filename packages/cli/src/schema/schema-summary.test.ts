import { SKILL_SCHEMAS, type SkillSchema } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { schemaSummary } from './schema-summary.ts';

describe.each(['en', 'ru'] as const)('the summary of the schema (%s)', (language) => {
  const schema = SKILL_SCHEMAS[language];
  const summary = schemaSummary(schema, language);

  it('has under 12 KiB', () => expect(new TextEncoder().encode(summary).length).toBeLessThan(12_288));

  it('names every key of every block, and which of them are required', () => {
    const blocks = [schema, ...Object.values(schema.$defs ?? {})].filter(
      ({ description }) => description !== undefined,
    );
    for (const block of blocks)
      for (const key of Object.keys(block.properties ?? {}))
        expect(summary).toMatch(new RegExp(`^- (.*, )?${key}${isRequired(block, key) ? '\\*' : '\\b'}`, 'm'));
  });

  it('gives types, examples of conditions, and the version of what is new', () => {
    expect(summary).toMatch(/^- tool\*: .*`server:tool`/m);
    expect(summary).toMatch(/^- max_calls int/m);
    expect(summary).toMatch(/^- when -> condition: /m);
    expect(summary).toMatch(/^condition: .*rows is not empty/m);
    expect(summary).toMatch(/^- concurrency int: .* \(2\.5\.0\)$/m);
  });
});

function isRequired(block: SkillSchema, key: string): boolean {
  return block.required?.includes(key) === true;
}
