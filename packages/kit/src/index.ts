import { ModuleBuilder, ReferenceBuilder, SkillBuilder } from './builder/loose-builders.ts';
import type { ModuleSettings } from './builder/assemble-module.ts';
import type { ReferenceSettings } from './builder/assemble-reference.ts';
import type { SkillSettings } from './builder/assemble-skill.ts';

// The typed builder takes the place of these three.
export const skill = (settings: SkillSettings): SkillBuilder => new SkillBuilder(settings);
export const module = (settings: ModuleSettings): ModuleBuilder => new ModuleBuilder(settings);
export const reference = (settings: ReferenceSettings): ReferenceBuilder => new ReferenceBuilder(settings);
export { ModuleBuilder, ReferenceBuilder, SkillBuilder };

export { type } from 'arktype';
export { defineAction as action } from './builder/define-action.ts';
export { defineStep as step, type StepDefinition } from './builder/step-definition.ts';
export { terminal } from './builder/terminal.ts';
export type {
  ActSegment,
  Primitive,
  PromptPiece,
  PromptReturn,
  SystemSegment,
  ViewSegment,
} from './definition/prompt-piece.ts';
export type {
  ActionDefinition,
  ActionEffect,
  AnySchema,
  Buildable,
  FrontMatter,
  Handshake,
  HostedSettings,
  ModuleDefinition,
  NextBranch,
  ObserverMap,
  ReferenceDefinition,
  References,
  SkillDefinition,
  StepConfig,
  StepRecord,
  StoreAccessor,
  Terminal,
  TopicConfig,
} from './definition/skill-definition.ts';
export { CycleGuardError, KitError, type KitErrorCode } from './kit-error.ts';
export { act } from './primitives/act.ts';
export { type Fragment, fragment } from './prompt/fragment.ts';
export { prompt } from './prompt/prompt.ts';
export { resolveTemplate } from './prompt/resolve-template.ts';
export { system } from './prompt/system.ts';
export { view } from './prompt/view.ts';
export { render } from './render/render.ts';
export {
  type CliResult,
  type DoneResult,
  type ErrorResult,
  isDone,
  isError,
  isPrompt,
  isRedirect,
  type PromptResult,
  type RedirectResult,
  type WorkflowResult,
} from './workflow/result.ts';
