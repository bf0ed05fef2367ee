import type { SkillDefinition, StepConfig } from '../../src/definition/skill-definition.ts';

type Given = Partial<Omit<SkillDefinition, 'steps'>> & {
  readonly steps: Readonly<Record<string, StepConfig>>;
};

/** A definition with only what a test cares about; the first step is the entry. */
export function skillOf(given: Given): SkillDefinition {
  return {
    kind: 'skill',
    name: 'probe',
    version: '0.0.0',
    description: undefined,
    entry: Object.keys(given.steps)[0] ?? '',
    system: undefined,
    params: undefined,
    observers: undefined,
    finalOutput: undefined,
    skillMd: undefined,
    resolveVersion: false,
    package: undefined,
    ...given,
  };
}

export const END = { terminal: true } as const;
