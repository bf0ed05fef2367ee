import {
  BUILTIN_CLASS,
  classOfCode,
  classOfServer,
  type Config,
  MODEL_CLASS,
  type StepJob,
  type ToolEffect,
} from '@skillyard/contracts';
import { calledTool } from './called-tool.ts';

/** The queue of a class. */
export function queueOfClass(workerClass: string): string {
  return workerClass === MODEL_CLASS ? MODEL_CLASS : `tool.${workerClass}`;
}

/** The class whose workers take from a queue. */
export function classOfQueue(queue: string): string {
  return queue.startsWith('tool.') ? queue.slice('tool.'.length) : queue;
}

/**
 * The queue a job's ticket goes to. An asset of a tool server is read where its tools are called: the connection, the
 * credentials and the limits of the server are those of its class.
 * @returns null for what the orchestrator answers itself (`memory`, `delegate`, any other `asset`) and what a person
 *   answers (`ask`); also for a server the configuration does not have: no worker would ever take it
 */
export function queueOf(job: StepJob, config: Config): string | null {
  if (job.kind === 'generate') return queueOfClass(MODEL_CLASS);
  const codeClass = classOfCode(job);
  if (codeClass !== null) return queueOfClass(codeClass);
  const called = calledTool(job);
  if (called === null || !isServed(called.server, job, config)) return null;
  return queueOfClass(classOfServer(called.server, config));
}

function isServed(server: string, job: StepJob, config: Config): boolean {
  // What comes with us gives no assets: the refusal needs no worker.
  if (server === BUILTIN_CLASS) return job.kind === 'call';
  return Object.hasOwn(config.servers ?? {}, server);
}

/**
 * What a repeat of a job may do. A call repeats something only its tool knows; everything else may be run again.
 * @param effects per `server:tool` or `server`; a call to any other tool is `once`
 */
export function effectOf(job: StepJob, effects: Readonly<Record<string, ToolEffect>>): ToolEffect {
  if (job.kind === 'generate') return 'idempotent';
  if (job.kind !== 'call') return 'read';
  if (classOfCode(job) !== null) return job.effect ?? 'once';
  const tool = `${job.server}:${job.tool}`;
  if (Object.hasOwn(effects, tool)) return effects[tool] ?? 'once';
  return Object.hasOwn(effects, job.server) ? (effects[job.server] ?? 'once') : 'once';
}
