import { resolve } from 'node:path';
import type { AgentSkillsConfig, Config, ModelConfig, ServerConfig } from '@skillyard/contracts';

/**
 * Makes every path of a configuration absolute, so that it means the same in whichever folder a process runs.
 * A server without a folder of its own is started in that of the file, so that its arguments are relative to it too.
 */
export function resolveConfigPaths(config: Config, baseDir: string): Config {
  const resolved: Config = { ...config };
  if (config.models) resolved.models = mapValues(config.models, (model) => resolveModel(model, baseDir));
  if (config.servers)
    resolved.servers = mapValues(config.servers, (server) => resolveServer(server, baseDir));
  if (config.skills) resolved.skills = config.skills.map((folder) => resolve(baseDir, folder));
  if (config.agent_skills) resolved.agent_skills = resolveAgentSkills(config.agent_skills, baseDir);
  if (config.policy !== undefined) resolved.policy = resolve(baseDir, config.policy);
  if (config.assets?.root !== undefined) {
    resolved.assets = { ...config.assets, root: resolve(baseDir, config.assets.root) };
  }
  if (config.commands?.cwd !== undefined) {
    resolved.commands = { ...config.commands, cwd: resolve(baseDir, config.commands.cwd) };
  }
  return resolved;
}

function resolveAgentSkills(config: AgentSkillsConfig, baseDir: string): AgentSkillsConfig {
  // `~` is the home folder of whoever runs it: the loader knows it.
  const all = (paths: readonly string[]): string[] =>
    paths.map((path) => (/^~(\/|$)/.test(path) ? path : resolve(baseDir, path)));
  const resolved: AgentSkillsConfig = { ...config };
  if (config.paths) resolved.paths = all(config.paths);
  if (config.agents) {
    resolved.agents = mapValues(config.agents, (agent) =>
      agent.paths ? { ...agent, paths: all(agent.paths) } : agent,
    );
  }
  return resolved;
}

function resolveModel(model: ModelConfig, baseDir: string): ModelConfig {
  if (model.provider !== 'scripted') return model;
  const { script } = model;
  const resolved =
    typeof script === 'string' ? resolve(baseDir, script) : script.map((file) => resolve(baseDir, file));
  return { ...model, script: resolved };
}

function resolveServer(server: ServerConfig, baseDir: string): ServerConfig {
  if (!('command' in server)) return server;
  const cwd = resolve(baseDir, server.cwd ?? '.');
  // A bare name is looked up in PATH; a path is not.
  const command = /^\.{1,2}[\\/]/.test(server.command) ? resolve(baseDir, server.command) : server.command;
  return { ...server, command, cwd };
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
