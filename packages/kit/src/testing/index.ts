export { mockModel, type ModelAdapter } from './mock-model.ts';
export { type CompositeTestOptions, type CompositeTestResult, runComposite } from './run-composite.ts';
export { runSkill, type SkillTestResult } from './run-skill.ts';
export type { TestRunOptions } from './test-run-options.ts';
export type { Handshake, References, StepRecord, StoreAccessor } from '../definition/skill-definition.ts';
export { analyseCycles, type CycleAnalysis } from '../workflow/analyse-cycles.ts';
export { openRun, type Run, type RunOptions } from '../workflow/run.ts';
