import type { Config, StepJob, ToolEffect } from '@skillyard/contracts';

/** The class of model generations. Every other class belongs to tool servers. */
export const MODEL_CLASS = 'model';
/** The class of the tools that come with us (`builtin:...`). */
export const BUILTIN_CLASS = 'builtin';

/** The queue of a class. */
export function queueOfClass(workerClass: string): string {
  return workerClass === MODEL_CLASS ? MODEL_CLASS : `tool.${workerClass}`;
}

/** The class whose workers take from a queue. */
export function classOfQueue(queue: string): string {
  return queue.startsWith('tool.') ? queue.slice('tool.'.length) : queue;
}

/** The class whose workers serve a tool server: what its configuration says, else its own name. */
function classOfServer(server: string, config: Config): string {
  if (server === 'builtin') return BUILTIN_CLASS;
  return config.servers?.[server]?.class ?? server;
}

/** The tool servers that workers of a class serve. */
export function serversOfClass(workerClass: string, config: Config): string[] {
  return Object.keys(config.servers ?? {}).filter((server) => classOfServer(server, config) === workerClass);
}

/** Every class a configuration needs workers for. */
export function workerClasses(config: Config): string[] {
  const classes = Object.keys(config.servers ?? {}).map((server) => classOfServer(server, config));
  return [...new Set([MODEL_CLASS, BUILTIN_CLASS, ...classes])];
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
  return server === 'builtin' || Object.hasOwn(config.servers ?? {}, server);
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
