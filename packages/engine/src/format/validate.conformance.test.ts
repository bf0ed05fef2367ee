import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declaredTools } from './declared-tools.ts';
import { loadSkill } from './load-skill.ts';
import { resolveMode } from './mode.ts';
import { validateSkillName } from './name.ts';
import { checkFormatVersion, compareVersions } from './version.ts';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly op: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the operation
  readonly input: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly expected: any;
}

function casesOf(file: string): readonly Case[] {
  const url = new URL(`../../../../conformance/${file}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Case[];
}

describe('conformance: validate', () => {
  it.each(casesOf('validate.json').map((one) => [one.id, one] as const))('%s', (_id, { input, expected }) => {
    const result = loadSkill(input.skill);
    if (expected.ok) {
      expect(result.diagnostics).toEqual([]);
      expect(result.skill).not.toBeNull();
      return;
    }
    expect(result).toMatchObject({ skill: null, stage: expected.stage });
    for (const token of expected.error_mentions) expect(result.diagnostics[0]?.message).toContain(token);
  });
});

const FUNCTIONS: Readonly<Record<string, (input: Case['input']) => unknown>> = {
  check_engine_version: ({ declared }) => ({ ok: checkFormatVersion(declared).ok }),
  compare_versions({ a, b }) {
    const value = compareVersions(a, b);
    return value === undefined ? { ok: false } : { ok: true, value };
  },
  validate_name: ({ name }) => ({ ok: validateSkillName(name) === undefined }),
  resolve_mode({ declared, has_workflow: hasWorkflow, has_playbook: hasPlaybook }) {
    const result = resolveMode(declared, hasWorkflow, hasPlaybook);
    return result.ok ? { ok: true, mode: result.mode } : { ok: false };
  },
  declared_tools({ skill: text }) {
    const { skill } = loadSkill(text);
    return { tools: skill?.workflow ? declaredTools(skill.workflow) : [] };
  },
};

describe('conformance: functions of the format', () => {
  const cases = casesOf('functions.json').filter((one) => Object.hasOwn(FUNCTIONS, one.op));
  it.each(cases.map((one) => [`${one.op} ${one.id}`, one] as const))('%s', (_id, { op, input, expected }) => {
    expect(FUNCTIONS[op]?.(input)).toEqual(expected);
  });
});
