import { readFileSync } from 'node:fs';
import { SkillyardError } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { lintSkill } from './index.ts';

interface Expected {
  readonly rule: string;
  readonly severity: string;
  readonly step?: string;
  readonly line?: number;
  readonly mentions?: readonly string[];
}

interface Case {
  readonly id: string;
  readonly input: { readonly skill: string; readonly facts?: object; readonly options?: object };
  readonly expected: {
    readonly error?: true;
    readonly findings: readonly Expected[];
    readonly skipped: string[];
  };
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../conformance/lint.json', import.meta.url), 'utf8'),
) as readonly Case[];

/** Our names for the keys of a case; the keys of tables (`all_tools`, `tool_schemas`) are names of tools. */
function inCamelCase(value: object | undefined, depth = 1): object {
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, inner]: [string, unknown]) => [
      key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      depth > 0 && key === 'assets' ? inCamelCase(inner as object, depth - 1) : inner,
    ]),
  );
}

/** The places of one finding are more than a case records. */
function fits(finding: ReturnType<typeof lintSkill>['findings'][number], expected: Expected): boolean {
  const severity = finding.severity === 'warning' ? 'warn' : finding.severity;
  return (
    finding.rule === expected.rule &&
    severity === expected.severity &&
    (expected.step === undefined || finding.step === expected.step) &&
    (expected.line === undefined || finding.line === expected.line) &&
    (expected.mentions ?? []).every((token) => finding.message.includes(token))
  );
}

describe('conformance: lint', () => {
  it.each(CASES.map((one) => [one.id, one] as const))('%s', (_id, { input, expected }) => {
    const lint = () =>
      lintSkill(input.skill, {
        facts: inCamelCase(input.facts),
        options: inCamelCase(input.options),
      });
    if (expected.error) {
      expect(lint).toThrow(SkillyardError);
      return;
    }
    const { findings, skipped } = lint();
    expect(skipped.toSorted()).toEqual(expected.skipped);
    const left = [...findings];
    for (const one of expected.findings) {
      const at = left.findIndex((finding) => fits(finding, one));
      expect(at, `${JSON.stringify(one)} in ${JSON.stringify(left, null, 1)}`).toBeGreaterThanOrEqual(0);
      left.splice(at, 1);
    }
    expect(left).toEqual([]);
    for (const { line, column, message, hint } of findings) {
      expect(line).toBeGreaterThan(0);
      expect(column).toBeGreaterThan(0);
      expect(message).not.toBe('');
      expect(hint).not.toBe('');
    }
  });
});
