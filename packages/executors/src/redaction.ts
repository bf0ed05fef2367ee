import type { AssetsConfig, Config, ModelConfig, ServerConfig } from '@skillyard/contracts';
import { basicCredential } from './assets/git-credential.ts';

/** The environment as it was passed in: no module of this package reads that of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Takes the secrets of the configuration out of a text. */
export type Redact = (text: string) => string;

/** Shorter values would be found inside ordinary words. */
const SHORTEST_SECRET = 8;
const SECRET_NAME = /key|token|secret|passw|credential|auth|cookie|private|dsn|_url$/i;

/**
 * Collects what the configuration treats as secret and returns a function that replaces it by its name.
 *
 * Secret are: the variables that hold the keys of models, the headers of tool servers and of assets, the tokens of
 * repositories, and among the variables given to child processes those whose name says so. A tool that prints its
 * environment, or an endpoint that quotes the key it refused, would otherwise put them into variables, traces and
 * prompts.
 */
export function createRedactor(config: Config, env: Environment): Redact {
  const secrets = new Map<string, string>();
  const add = (name: string, value: string | undefined): void => {
    if (value === undefined || value.length < SHORTEST_SECRET) return;
    secrets.set(value, name);
    // `Bearer abc` is sent as a whole and quoted in parts.
    const token = /^\w+ (\S+)$/.exec(value)?.[1];
    if (token !== undefined && token.length >= SHORTEST_SECRET) secrets.set(token, name);
    // Inside JSON text.
    secrets.set(JSON.stringify(value).slice(1, -1), name);
  };
  for (const model of Object.values(config.models ?? {})) addFromModel(model, env, add);
  for (const server of Object.values(config.servers ?? {})) addFromServer(server, env, add);
  addFromAssets(config.assets ?? {}, env, add);
  for (const passedOn of [config.code?.env_from, config.commands?.env_from])
    for (const name of passedOn ?? []) if (SECRET_NAME.test(name)) add(name, env[name]);
  // Longest first, so that no part of a secret is left beside the replacement of another.
  const ordered = [...secrets].toSorted(([left], [right]) => right.length - left.length);
  if (ordered.length === 0) return (text) => text;
  return (text) =>
    ordered.reduce((current, [value, name]) => current.replaceAll(value, `[secret ${name}]`), text);
}

type Add = (name: string, value: string | undefined) => void;

/** The variables that hold keys of the services when the configuration names none. */
const DEFAULT_KEYS: Record<string, string> = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' };

function addFromModel(model: ModelConfig, env: Environment, add: Add): void {
  if (model.provider === 'scripted') return;
  const variable = model.api_key_env ?? DEFAULT_KEYS[model.provider];
  if (variable !== undefined) add(variable, env[variable]);
  if (model.base_url !== undefined) addFromUrl(model.base_url, add);
}

function addFromServer(server: ServerConfig, env: Environment, add: Add): void {
  if ('url' in server) {
    addFromUrl(server.url, add);
    for (const [name, value] of Object.entries(server.headers ?? {})) add(name, value);
    for (const name of Object.values(server.headers_env ?? {})) add(name, env[name]);
    return;
  }
  addFromArguments(server.args ?? [], add);
  for (const [name, value] of Object.entries(server.env ?? {})) if (SECRET_NAME.test(name)) add(name, value);
  for (const name of server.env_from ?? []) if (SECRET_NAME.test(name)) add(name, env[name]);
}

function addFromAssets({ git, http }: AssetsConfig, env: Environment, add: Add): void {
  for (const headers of Object.values(http?.headers_env ?? {}))
    for (const name of Object.values(headers)) add(name, env[name]);
  for (const repository of Object.values(git ?? {})) {
    const { token_env: name } = repository;
    const token = name === undefined ? undefined : env[name];
    if (name === undefined || token === undefined) continue;
    add(name, token);
    add(name, basicCredential(repository, token));
  }
}

/** The password and the secret-looking parameters of an address. */
function addFromUrl(url: string, add: Add): void {
  if (!URL.canParse(url)) return;
  const { password, searchParams } = new URL(url);
  add('password', decodeURIComponent(password));
  for (const [name, value] of searchParams) if (SECRET_NAME.test(name)) add(name, value);
}

/** `--api-key=abc` and `--api-key abc`: a key has no business there, but it happens. */
function addFromArguments(args: readonly string[], add: Add): void {
  for (const [index, arg] of args.entries()) {
    const [flag = '', value] = arg.split(/=(.*)/s);
    if (flag.startsWith('-') && SECRET_NAME.test(flag))
      add(flag.replace(/^-+/, ''), value ?? args[index + 1]);
  }
}
