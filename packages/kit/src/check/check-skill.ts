import type { Buildable, SkillDefinition } from '../definition/skill-definition.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';
import { lintChoices } from './lint-choices.ts';
import { lintCycles, lintReach, lintTargets } from './lint-graph.ts';
import { lintAskedNames, lintHostBranching, lintHostNames, lintStepNames } from './lint-prompts.ts';
import { lintOrphans, lintSizes } from './lint-references.ts';
import { lintSchemas } from './lint-schemas.ts';

/**
 * Looks for what is wrong with a skill without running it. Functions are read, never called: what they do is judged by
 * the texts in them. Of a reference skill nothing can be wrong that the builder has not refused.
 * @param rootDir the folder of its source, which may hold `references/`
 * @returns in the order of the rules; what is about a sub-skill comes last and says so
 */
export function checkSkill(definition: Buildable, rootDir: string): readonly KitDiagnostic[] {
  if (definition.kind === 'reference') return [];
  return [...checkTree(definition, rootDir), ...lintSizes(rootDir)];
}

function checkTree(definition: SkillDefinition, rootDir: string): KitDiagnostic[] {
  const own = [
    ...lintCycles(definition),
    ...lintHostNames(definition),
    ...lintHostBranching(definition),
    ...lintChoices(definition),
    ...lintOrphans(definition, rootDir),
    ...lintAskedNames(definition),
    ...lintStepNames(definition),
    ...lintTargets(definition),
    ...lintReach(definition),
    ...lintSchemas(definition),
  ];
  const inner = Object.entries(definition.subskills ?? {}).flatMap(([name, use]) =>
    checkTree(use.definition, rootDir).map((found) => ({
      ...found,
      message: `[subskill:${name}] ${found.message}`,
    })),
  );
  return [...own, ...inner];
}
