export { runWorker, type RunningWorker, type WorkerOptions } from './run-worker.ts';
export { createLogger, type Logger } from './logger.ts';
