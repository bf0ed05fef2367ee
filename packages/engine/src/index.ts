export { answerResult, checkAnswers } from './answers.ts';
export { argumentAssetRefs, joinFill } from './flow/arguments.ts';
export { readCollection } from './flow/collection.ts';
export {
  type Condition,
  conditionReferences,
  conditionVariables,
  conditionWords,
  evaluateCondition,
  parseCondition,
} from './flow/condition.ts';
export { containsWord, namesAny, soughtWord } from './flow/contains-word.ts';
export type { Environment, MemoryAnswer } from './flow/environment.ts';
export { memHandle, trimNotes } from './flow/notes.ts';
export { chooseOneOf } from './flow/one-of.ts';
export { parseReference, readPath, type Reference } from './flow/reference.ts';
export { assetRefs, expandTemplate, parseTemplate } from './flow/template.ts';
export { splitToolRef, type ToolRef } from './flow/tool-ref.ts';
export { type LoopAnalysis, writtenVariables } from './flow/loop-analysis.ts';
export { stepTexts, stringsIn } from './flow/step-texts.ts';
export { isBlank, trimSpace } from './flow/white-space.ts';
export { isWordPart } from './flow/word-character.ts';
export { codePointBefore, makeNeedle, search } from './flow/word-search.ts';

export {
  type Asset,
  type Limits,
  type Mode,
  nestedLists,
  type Skill,
  type Step,
  type StepOf,
  type Workflow,
} from './format/ast.ts';
export { declaredTools, toolsOfStep } from './format/declared-tools.ts';
export { inspectSkill, loadSkill } from './format/load-skill.ts';
export { modeOf, modesOf, resolveMode } from './format/mode.ts';
export { flowGraph } from './format/graph/flow-graph.ts';
export { migrateSkill, type MigrationChange } from './format/migrate/migrate-skill.ts';
export { validateSkillName } from './format/name.ts';
export { boundsRadius } from './format/sources.ts';
export { quoted } from './format/quoted.ts';
export { checkFormatVersion, compareVersions, FORMAT_VERSION } from './format/version.ts';

export {
  applyResult,
  cancelTurn,
  expireTurn,
  startTurn,
  turnDeadlineMs,
  type TurnStart,
} from './machine/advance.ts';
export type { Advance } from './machine/cursor.ts';
export { delegateResult, MAX_DELEGATIONS } from './machine/delegate-result.ts';
export { planLoop } from './machine/loop-plan.ts';
export { compileProgram } from './machine/compile-program.ts';
export type { InstructionCode, Program } from './machine/program.ts';
export type { StateRecord, TurnSettings } from './machine/records.ts';
export {
  beginsInTime,
  DEFAULT_RETRY_POLICY,
  retryDelayMs,
  type RetryPolicy,
  shouldRetry,
} from './machine/retry-policy.ts';
export { toolLoopCeilings } from './machine/steps/tool-loop.ts';
export { assembleTrace, comparePaths, type Trace } from './machine/trace.ts';
export { type Changes, loadTurn, Turn } from './machine/turn.ts';
