import type { Buildable } from '../definition/skill-definition.ts';

export interface LoadOptions {
  /** Other names under which sources import the kit, such as that of a package they were written for. */
  readonly aliases?: readonly string[];
}

/**
 * What a source file exports by default. The file is bundled into a temporary folder and imported from there: nothing
 * is written beside the source, and it needs no loader for TypeScript.
 * @throws KitError BUILD_FAILED, SKILL_DEFINITION_INVALID
 */
export async function loadDefinition(entry: string, options: LoadOptions = {}): Promise<Buildable> {
  throw new Error(`not yet: ${entry} ${JSON.stringify(options)}`);
}
