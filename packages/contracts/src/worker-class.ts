import type { Config } from './config.ts';
import type { StepJob } from './step-job.ts';

/** The class of model generations. Every other class belongs to tool servers. */
export const MODEL_CLASS = 'model';
/** The class of the tools that come with us (`builtin:...`), and the name of their server. */
export const BUILTIN_CLASS = 'builtin';
/** The class that runs the code of skills: its decisions and its actions, and the server that actions are called on. */
export const ACTION_CLASS = 'action';

/** The class that runs the commands of programs, and the server that they are called on. */
export const COMMAND_CLASS = 'command';

/** Classes that are ours, whatever tool servers there are. No server may have the name of one, nor be of it. */
export const OWN_CLASSES: readonly string[] = [MODEL_CLASS, BUILTIN_CLASS, ACTION_CLASS, COMMAND_CLASS];

/**
 * The class of a job that belongs to the code of a skill: a decision, an action or a command, whatever tool servers there are.
 * @returns null for every other job
 */
export function classOfCode(job: StepJob): typeof ACTION_CLASS | typeof COMMAND_CLASS | null {
  if (job.kind === 'decide') return ACTION_CLASS;
  if (job.kind !== 'call' || job.at === undefined) return null;
  return job.server === COMMAND_CLASS ? COMMAND_CLASS : ACTION_CLASS;
}

/** The class whose workers serve a tool server: what its configuration says, else its own name. */
export function classOfServer(server: string, config: Config): string {
  if (server === BUILTIN_CLASS) return BUILTIN_CLASS;
  return config.servers?.[server]?.class ?? server;
}

/** The tool servers that workers of a class serve. */
export function serversOfClass(workerClass: string, config: Config): string[] {
  return Object.keys(config.servers ?? {}).filter((server) => classOfServer(server, config) === workerClass);
}

/** Every class a configuration needs workers for. */
export function workerClasses(config: Config): string[] {
  const classes = Object.keys(config.servers ?? {}).map((server) => classOfServer(server, config));
  return [...new Set([...OWN_CLASSES, ...classes])];
}

/** What the jobs of a class are done with, by the names that a `priority` may use: models and tool servers. */
export function namesInClass(workerClass: string, config: Config): string[] {
  const own = workerClass === BUILTIN_CLASS ? [BUILTIN_CLASS] : [];
  const models = workerClass === MODEL_CLASS ? Object.keys(config.models ?? {}) : [];
  return [...new Set([...own, ...models, ...serversOfClass(workerClass, config)])];
}
