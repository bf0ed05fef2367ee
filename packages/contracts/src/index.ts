export { type JobId, type TurnId, turnId, turnOfJob } from './ids.ts';
export { Json, JsonObject } from './json.ts';
export { StepKind, StepOutcome } from './step-kind.ts';
export {
  AskJob,
  AssetJob,
  AssetSource,
  CallJob,
  DelegateJob,
  FetchPolicy,
  Fill,
  FillPart,
  GenerateJob,
  MemoryJob,
  Sampling,
  StepJob,
  ToolReply,
} from './step-job.ts';
export { StepError, StepResult, StepStatus, TokenUsage, ToolRequest } from './step-result.ts';
export {
  LoopPlan,
  StepFinished,
  JobNotice,
  JobNoticed,
  StepsDiscarded,
  StepStarted,
  TraceEvent,
  TurnFinished,
  TurnReopened,
  TurnStarted,
} from './trace-event.ts';
export { TurnOutcome, TurnStatus, TurnUsage } from './turn-outcome.ts';
export { TurnRadius } from './turn-radius.ts';
export { Diagnostic, formatPlace, Position } from './diagnostic.ts';
export type { SkillSchema } from './skill-schema/skill-schema.ts';
export { type SchemaLanguage, SKILL_SCHEMAS } from './skill-schema/skill-schemas.ts';
export { Vocabulary } from './vocabulary.ts';
export { AgentSkillsConfig } from './agent-skills-config.ts';
export {
  AssetsConfig,
  ClassConfig,
  Config,
  Duration,
  GitRepositoryConfig,
  ModelConfig,
  parseDurationMs,
  RetriesConfig,
  ServerConfig,
  ToolEffect,
} from './config.ts';
export { LintConfig, LintFacts } from './lint-config.ts';
export { type ErrorCode, type ErrorEntry, type ErrorKind, ERRORS } from './error/catalogue.ts';
export { type ErrorDetails, SkillyardError } from './error/skillyard-error.ts';
export {
  BUILTIN_CLASS,
  classOfServer,
  MODEL_CLASS,
  namesInClass,
  serversOfClass,
  workerClasses,
} from './worker-class.ts';
export {
  type ConversationStore,
  DEFAULT_MEMORY_BYTES,
  memoryFull,
  type MemoryValue,
  type WorkingMemory,
} from './stores.ts';
