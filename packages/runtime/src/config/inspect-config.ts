import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Config } from '@skillyard/contracts';

/** Something that a valid configuration names and that is not there. */
export interface ConfigRemark {
  /** The key, as `models.local.api_key_env`. */
  readonly key: string;
  readonly message: string;
}

/**
 * Looks for what a configuration needs and does not hold itself: environment variables, files and folders.
 * What is not there now may be there where the process that needs it runs: these are remarks, no mistakes.
 * @param config with absolute paths, but for those that begin in the home folder of whoever runs it
 */
export async function inspectConfig(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConfigRemark[]> {
  const unset = namedVariables(config)
    .filter(({ name }) => (env[name] ?? '') === '')
    .map(({ key, name }) => ({ key, message: `names ${name}, which is not set here` }));
  const missing = await Promise.all(
    namedPaths(config).map(async ({ key, path }) =>
      (await exists(path)) ? [] : [{ key, message: `${path} is not there` }],
    ),
  );
  return [...unset, ...missing.flat()];
}

function namedVariables(config: Config): { key: string; name: string }[] {
  const found: { key: string; name: string }[] = [];
  const add = (key: string, name: string | undefined): void => {
    if (name !== undefined) found.push({ key, name });
  };
  for (const [model, one] of Object.entries(config.models ?? {}))
    if ('api_key_env' in one) add(`models.${model}.api_key_env`, one.api_key_env);
  for (const [server, one] of Object.entries(config.servers ?? {})) {
    if ('url' in one) {
      for (const [header, name] of Object.entries(one.headers_env ?? {}))
        add(`servers.${server}.headers_env.${header}`, name);
    } else {
      for (const name of one.env_from ?? []) add(`servers.${server}.env_from`, name);
    }
  }
  for (const [repository, { token_env: name }] of Object.entries(config.assets?.git ?? {}))
    add(`assets.git.${repository}.token_env`, name);
  for (const [address, headers] of Object.entries(config.assets?.http?.headers_env ?? {}))
    for (const name of Object.values(headers)) add(`assets.http.headers_env.${address}`, name);
  add('webhooks.secret_env', config.webhooks?.secret_env);
  return found;
}

function namedPaths(config: Config): { key: string; path: string }[] {
  const found: { key: string; path: string }[] = [];
  const add = (key: string, paths: string | readonly string[] | undefined): void => {
    for (const path of [paths ?? []].flat()) found.push({ key, path });
  };
  for (const [model, one] of Object.entries(config.models ?? {}))
    if (one.provider === 'scripted') add(`models.${model}.script`, one.script);
  for (const [server, one] of Object.entries(config.servers ?? {}))
    if ('command' in one) add(`servers.${server}.cwd`, one.cwd);
  add('skills', config.skills);
  const { paths, agents = {} } = config.agent_skills ?? {};
  add('agent_skills.paths', paths?.filter(isAbsolute));
  for (const [agent, one] of Object.entries(agents))
    add(`agent_skills.agents.${agent}.paths`, one.paths?.filter(isAbsolute));
  add('assets.root', config.assets?.root);
  add('commands.cwd', config.commands?.cwd);
  add('policy', config.policy);
  return found;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
