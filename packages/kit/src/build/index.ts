export {
  type BuildMode,
  type BuildOptions,
  buildSkill,
  type BuiltSkill,
  type SkillProtocol,
} from './build-skill.ts';
export { loadDefinition, type LoadOptions } from './load-definition.ts';
export { checkSkill } from '../check/check-skill.ts';
export type { KitDiagnostic, KitRule } from '../check/kit-diagnostic.ts';
