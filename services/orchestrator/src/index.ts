export { type PlaceOptions, withPlaces } from './config.ts';
export { accessMode } from './http/access/access-mode.ts';
export type { OrchestratorOptions } from './orchestrator-options.ts';
export { runOrchestrator, type RunningOrchestrator } from './run-orchestrator.ts';
export { createLogger, type Logger } from './logger.ts';
