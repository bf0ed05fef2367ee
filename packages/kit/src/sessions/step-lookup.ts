import type { SkillDefinition, StepConfig } from '../definition/skill-definition.ts';

/** A step by the name that the protocol has for it: `<sub-skill>/<step>` in a sub-skill. */
export function findStep(definition: SkillDefinition, name: string): StepConfig | undefined {
  const slash = name.indexOf('/');
  if (slash === -1) return own(definition.steps, name);
  const subskill = own(definition.subskills ?? {}, name.slice(0, slash));
  return own(subskill?.definition.steps ?? {}, name.slice(slash + 1));
}

/** Whether a step asks for no answer. */
export function isPromptless(definition: SkillDefinition, name: string): boolean {
  const step = findStep(definition, name);
  return step !== undefined && step.prompt === undefined;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
