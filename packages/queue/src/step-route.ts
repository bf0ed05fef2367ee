import {
  BUILTIN_CLASS,
  classOfServer,
  type Config,
  MODEL_CLASS,
  type StepJob,
  type ToolEffect,
} from '@skillyard/contracts';

/** The queue of a class. */
export function queueOfClass(workerClass: string): string {
  return workerClass === MODEL_CLASS ? MODEL_CLASS : `tool.${workerClass}`;
}

/** The class whose workers take from a queue. */
export function classOfQueue(queue: string): string {
  return queue.startsWith('tool.') ? queue.slice('tool.'.length) : queue;
}

/**
 * The queue a job's ticket goes to.
 * @returns null for what the orchestrator answers itself (`memory`, `asset`, `delegate`) and what a person answers (`ask`);
 *   also for a server the configuration does not have: no worker would ever take it
 */
export function queueOf(job: StepJob, config: Config): string | null {
  if (job.kind === 'generate') return queueOfClass(MODEL_CLASS);
  if (job.kind !== 'call' || !isKnownServer(job.server, config)) return null;
  return queueOfClass(classOfServer(job.server, config));
}

function isKnownServer(server: string, config: Config): boolean {
  return server === BUILTIN_CLASS || Object.hasOwn(config.servers ?? {}, server);
}

/**
 * What a repeat of a job may do. A call repeats something only its tool knows; everything else may be run again.
 * @param effects per `server:tool` or `server`; a call to any other tool is `once`
 */
export function effectOf(job: StepJob, effects: Readonly<Record<string, ToolEffect>>): ToolEffect {
  if (job.kind === 'generate') return 'idempotent';
  if (job.kind !== 'call') return 'read';
  const tool = `${job.server}:${job.tool}`;
  if (Object.hasOwn(effects, tool)) return effects[tool] ?? 'once';
  return Object.hasOwn(effects, job.server) ? (effects[job.server] ?? 'once') : 'once';
}
