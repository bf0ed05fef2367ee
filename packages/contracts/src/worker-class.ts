import type { Config } from './config.ts';

/** The class of model generations. Every other class belongs to tool servers. */
export const MODEL_CLASS = 'model';
/** The class of the tools that come with us (`builtin:...`), and the name of their server. */
export const BUILTIN_CLASS = 'builtin';
/** The class that runs the code of skills: its decisions and its actions, and the server that actions are called on. */
export const ACTION_CLASS = 'action';

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
  return [...new Set([MODEL_CLASS, BUILTIN_CLASS, ACTION_CLASS, ...classes])];
}

/** What the jobs of a class are done with, by the names that a `priority` may use: models and tool servers. */
export function namesInClass(workerClass: string, config: Config): string[] {
  const own = workerClass === BUILTIN_CLASS ? [BUILTIN_CLASS] : [];
  const models = workerClass === MODEL_CLASS ? Object.keys(config.models ?? {}) : [];
  return [...new Set([...own, ...models, ...serversOfClass(workerClass, config)])];
}
