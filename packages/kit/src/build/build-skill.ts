import type { KitDiagnostic } from '../check/kit-diagnostic.ts';
import type { Buildable } from '../definition/skill-definition.ts';
import type { LoadOptions } from './load-definition.ts';

/** `node`: one bundle for every platform that has Node. `bun`: an executable a platform, which needs nothing. */
export type BuildMode = 'bun' | 'node';

/** The protocol that SKILL.md teaches; the built skill speaks both. */
export type SkillProtocol = 'session' | 'stateless';

export interface BuildOptions extends LoadOptions {
  /** The folder of the built skill. What an earlier build left in it is replaced. */
  readonly outDir: string;
  readonly mode: BuildMode;
  /** `session` when absent. */
  readonly protocol?: SkillProtocol;
  /** Of mode `bun`: the platforms, such as `linux-x64`. */
  readonly targets?: readonly string[];
  /** false: builds whatever the check says. */
  readonly check?: boolean;
}

export interface BuiltSkill {
  readonly definition: Buildable;
  /** Absolute. */
  readonly dir: string;
  /** What was written, seen from `dir`, sorted. */
  readonly files: readonly string[];
  /** Of mode `node`: the bundle, seen from `dir`, and the SHA-256 of its bytes. */
  readonly bundle: { readonly file: string; readonly sha256: string } | null;
  readonly diagnostics: readonly KitDiagnostic[];
  /** What is worth saying and kept nothing from being built. */
  readonly warnings: readonly string[];
}

/**
 * Makes the folder of a skill that runs wherever Node does, from one source file.
 * @param entry a file whose default export is a skill or a reference skill
 * @throws KitError BUILD_FAILED, SKILL_DEFINITION_INVALID
 */
export async function buildSkill(entry: string, options: BuildOptions): Promise<BuiltSkill> {
  throw new Error(`not yet: ${entry} ${options.outDir}`);
}
