export { type BuildMode, type BuildOptions, buildSkill, type BuiltSkill } from './build-skill.ts';
export { loadDefinition, type LoadOptions } from './load-definition.ts';
export { checkSkill } from '../check/check-skill.ts';
export type { KitDiagnostic, KitRule } from '../check/kit-diagnostic.ts';
export type { SkillProtocol } from './protocol-steps.ts';
export type { KitIo } from './kit-io.ts';
export { runKit } from './run-kit.ts';
