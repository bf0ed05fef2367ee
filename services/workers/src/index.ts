export type { WorkerOptions } from './worker-options.ts';
export { checkClasses, readConcurrency, withMetricsPort } from './config.ts';
export { runWorker, type RunningWorker } from './run-worker.ts';
export { createLogger, type Logger } from './logger.ts';
