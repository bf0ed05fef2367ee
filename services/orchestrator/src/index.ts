export { type OrchestratorOptions, runOrchestrator, type RunningOrchestrator } from './run-orchestrator.ts';
export { createLogger, type Logger } from './logger.ts';
