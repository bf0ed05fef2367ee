import type { Buildable } from '../definition/skill-definition.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';

/**
 * Looks for what is wrong with a skill without running it.
 * @param rootDir the folder of its source, which may hold `references/`
 */
export function checkSkill(definition: Buildable, rootDir: string): readonly KitDiagnostic[] {
  throw new Error(`not yet: ${definition.name} ${rootDir}`);
}
