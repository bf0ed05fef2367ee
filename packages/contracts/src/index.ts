export { type JobId, type TurnId, turnId, turnOfJob } from './ids.ts';
export { Json, JsonObject } from './json.ts';
export { StepKind, StepOutcome } from './step-kind.ts';
export {
  AskJob,
  AssetJob,
  AssetSource,
  CallJob,
  CodePosition,
  DecideJob,
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
export { CodeEvent, CodeRef, CodeRound, Decision, Directive, Observation } from './code/directive.ts';
export { CodeHostReply, CodeHostRequest } from './code/code-host.ts';
export {
  CommandResult,
  Divergence,
  OutputRef,
  ProgramRequest,
  ProgramRequirement,
  ProgramSkill,
  RequestEnvelope,
  RequestKind,
  ResponseEnvelope,
  Terminal,
  TerminalStatus,
} from './code/program-protocol.ts';
export { Answers, Question, QuestionOption } from './code/question.ts';
export { withoutFence } from './code/without-fence.ts';
export { StepError, StepResult, StepStatus, TokenUsage, ToolRequest } from './step-result.ts';
export {
  LoopPlan,
  StepFinished,
  QuestionEvent,
  RequirementChecked,
  JobNotice,
  JobNoticed,
  StepObserved,
  StepsDiscarded,
  StepStarted,
  TraceEvent,
  TurnFinished,
  TurnReopened,
  TurnStarted,
} from './trace-event.ts';
export { Requirement, TurnOutcome, TurnStatus, TurnStop, TurnUsage } from './turn-outcome.ts';
export { TurnRadius } from './turn-radius.ts';
export { Diagnostic, formatPlace, Position } from './diagnostic.ts';
export type { SkillSchema } from './skill-schema/skill-schema.ts';
export { type SchemaLanguage, SKILL_SCHEMAS } from './skill-schema/skill-schemas.ts';
export { Vocabulary } from './vocabulary.ts';
export { AgentSkillsConfig } from './agent-skills-config.ts';
export {
  AssetsConfig,
  ClassConfig,
  CommandsConfig,
  Config,
  GitRepositoryConfig,
  ModelConfig,
  RetriesConfig,
  ServerConfig,
  ToolEffect,
} from './config.ts';
export { Duration, parseDurationMs } from './duration.ts';
export {
  HistoryConfig,
  HttpConfig,
  JwtConfig,
  PolicyFile,
  TelemetryConfig,
  TenantConfig,
  WebhooksConfig,
} from './service-config.ts';
export {
  ALL_TENANTS,
  ApiKey,
  ApiKeyList,
  ApiKeyRequest,
  ApiScope,
  AuditEntry,
  AuditPage,
  Caller,
  CreatedApiKey,
  DEFAULT_TENANT,
  Tenant,
  TENANT_PATTERN,
} from './api/access.ts';
export {
  FailedJobPage,
  FailedJobResource,
  InspectedJobResource,
  QueueList,
  QueueResource,
  RedriveReport,
  ReopenedTurns,
  ResolveBody,
  TurnExplanation,
} from './api/operator-resource.ts';
export { Problem } from './api/problem.ts';
export {
  AnswerBody,
  AnswerReply,
  OpenQuestion,
  QuestionList,
  QuestionPage,
} from './api/question-resource.ts';
export type { RouteBody, RouteParams, RouteQuery, RouteReply } from './api/route-parts.ts';
export { API_ROUTES, type ApiOperation, type ApiRoute, StreamedEvent } from './api/routes.ts';
export { Schedule, ScheduleBody, ScheduleFiring, ScheduleList } from './api/schedule-resource.ts';
export { TurnEnded } from './api/turn-ended.ts';
export {
  SkillCheck,
  SkillList,
  SkillResource,
  SkillSummary,
  SkillText,
  SkillVersionList,
} from './api/skill-resource.ts';
export { DEFAULT_PRIORITY, Labels, NO_ORIGIN, TurnOrigin, TurnPriority } from './api/turn-origin.ts';
export {
  CancelBody,
  CancelReply,
  SkillChoice,
  TurnJob,
  TurnJobs,
  TurnPage,
  TurnQuery,
  TurnRequestBody,
  TurnResource,
  TurnState,
  TurnSummary,
} from './api/turn-resource.ts';
export type { FlowEdge, FlowGraph, FlowNode } from './flow-graph.ts';
export type { AttemptEnd, JobAttempt } from './job-attempt.ts';
export { LintConfig, LintFacts } from './lint-config.ts';
export { type ErrorCode, type ErrorEntry, type ErrorKind, ERRORS } from './error/catalogue.ts';
export { type ErrorDetails, SkillyardError } from './error/skillyard-error.ts';
export {
  ACTION_CLASS,
  BUILTIN_CLASS,
  classOfCode,
  classOfServer,
  COMMAND_CLASS,
  MODEL_CLASS,
  namesInClass,
  OWN_CLASSES,
  serversOfClass,
  workerClasses,
} from './worker-class.ts';
export {
  type CodeJournal,
  type ConversationStore,
  DEFAULT_MEMORY_BYTES,
  memoryFull,
  type MemoryValue,
  type WorkingMemory,
} from './stores.ts';
