/** What authors of skills import. */
export { type } from 'arktype';

export { action, type ActionConfig } from './builder/action.ts';
export type { BuilderState } from './builder/builder-state.ts';
export { module } from './builder/module.ts';
export { ModuleBuilder, type ModuleConfig, type ModuleOf } from './builder/module-builder.ts';
export { reference } from './builder/reference.ts';
export { ReferenceBuilder, type ReferenceConfig } from './builder/reference-builder.ts';
export { skill } from './builder/skill.ts';
export { SkillBuilder, type SubskillOptions } from './builder/skill-builder.ts';
export type { SkillConfig } from './builder/skill-config.ts';
export { step, type StepDefinition } from './builder/step-definition.ts';
export type {
  ActionInput,
  InferActionResult,
  MapInput,
  NextTarget,
  PromptInput,
  SaveInput,
  StepOptions,
  StepOverrides,
  TransitionInput,
  TypedAction,
} from './builder/step-options.ts';
export type { Entry } from './builder/entry.ts';
export type { DeepPartial } from './builder/store-view.ts';
export { terminal } from './builder/terminal.ts';

export type {
  ActSegment,
  Primitive,
  PromptPiece,
  PromptReturn,
  SystemSegment,
  SystemTag,
  ViewSegment,
} from './definition/prompt-piece.ts';
export type {
  Act,
  ActionDefinition,
  ActionEffect,
  ActionUse,
  AnySchema,
  AskUserConfig,
  Buildable,
  ChecklistConfig,
  ConfirmConfig,
  FrontMatter,
  Handshake,
  HostedSettings,
  InlineAction,
  ModuleDefinition,
  NextBranch,
  NextValue,
  ObserverMap,
  Option,
  PlanConfig,
  ReferenceDefinition,
  References,
  SkillDefinition,
  StepConfig,
  StepRecord,
  StoreAccessor,
  SubagentConfig,
  SubskillUse,
  SurveyQuestion,
  Terminal,
  TopicConfig,
} from './definition/skill-definition.ts';

export { act } from './primitives/act.ts';
export { fragment, type Fragment } from './prompt/fragment.ts';
export { prompt } from './prompt/prompt.ts';
export { resolveTemplate } from './prompt/resolve-template.ts';
export { system } from './prompt/system.ts';
export { view } from './prompt/view.ts';
export { render } from './render/render.ts';

export { CycleGuardError, KitError, type KitErrorCode } from './kit-error.ts';
export { jsonSchemaOf } from './schema/json-schema.ts';
export { validate, type Issue, type Validated } from './schema/validate.ts';
export { openRun, openSubskill, type Accepted, type Run, type RunOptions } from './workflow/run.ts';
export {
  isDone,
  isError,
  isPrompt,
  isRedirect,
  type CliResult,
  type DoneResult,
  type ErrorResult,
  type PromptResult,
  type RedirectResult,
  type WorkflowResult,
} from './workflow/result.ts';
