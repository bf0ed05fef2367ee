import type { SkillDefinition, StepConfig } from '../../src/definition/skill-definition.ts';

/** A definition as the builder makes them, of what a test is about. */
export function definition(
  name: string,
  steps: Readonly<Record<string, StepConfig>>,
  more: Partial<SkillDefinition> = {},
): SkillDefinition {
  return {
    kind: 'skill',
    name,
    version: '1.0.0',
    description: undefined,
    entry: Object.keys(steps)[0] ?? '',
    system: undefined,
    params: undefined,
    steps,
    observers: undefined,
    finalOutput: undefined,
    skillMd: undefined,
    resolveVersion: false,
    package: undefined,
    ...more,
  };
}
