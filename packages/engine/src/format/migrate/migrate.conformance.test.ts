import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrateSkill } from './migrate-skill.ts';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly text: string };
  readonly expected: {
    readonly changed: boolean;
    readonly text?: string;
    readonly error?: true;
    readonly error_mentions?: readonly string[];
  };
}

const url = new URL('../../../../../conformance/migrate.json', import.meta.url);
const cases = JSON.parse(readFileSync(url, 'utf8')) as readonly Case[];

describe('conformance: migrate', () => {
  it.each(cases.map((one) => [one.id, one] as const))('%s', (_id, { input, expected }) => {
    const result = migrateSkill(input.text);
    if (!expected.error) {
      expect(result).toMatchObject({ ok: true, changed: expected.changed, text: expected.text });
      return;
    }
    expect(result.ok).toBe(false);
    const said = result.ok ? '' : result.diagnostics.map(({ message }) => message).join('\n');
    for (const token of expected.error_mentions ?? []) expect(said).toContain(token);
  });
});
