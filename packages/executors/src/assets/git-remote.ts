import type { GitRepositoryConfig } from '@skillyard/contracts';
import { resolve } from 'node:path';
import { serverEnvironment } from '../tools/server-environment.ts';
import { publicAddress } from '../public-address.ts';
import type { Environment } from '../redaction.ts';
import { unavailable } from './asset-failure.ts';
import { basicCredential } from './git-credential.ts';

/** A configured repository, as git is told of it. */
export interface GitRemote {
  /** As in the configuration. */
  readonly project: string;
  /** Never begins with a dash; a path is absolute. */
  readonly url: string;
  /** For people. */
  readonly where: string;
  /** `refs/heads/` or what the configuration says, with a slash at its end. */
  readonly refPrefix: string;
  /** The whole environment of git: nothing of the operator's own settings takes part. */
  readonly env: Readonly<Record<string, string>>;
}

/** What ssh, proxies and private certificate authorities need. */
const PASSED_ON = [
  'SSH_AUTH_SOCK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'GIT_SSL_CAINFO',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * Reads what the configuration says of a repository.
 * @param baseDir a path starts here
 * @throws SkillyardError ASSET_UNAVAILABLE when it cannot be used
 */
export function gitRemote(
  project: string,
  config: GitRepositoryConfig,
  baseDir: string,
  env: Environment,
): GitRemote {
  const place = `assets.git.${project}`;
  const { url, protocol } = readUrl(config.url, `${place}.url`, baseDir);
  const prefix = config.ref_prefix ?? 'refs/heads/';
  const refPrefix = prefix.endsWith('/') ? prefix : `${prefix}/`;
  if (!/^refs\/([\w-]+\/)*$/.test(refPrefix)) {
    throw unavailable(`${place}.ref_prefix is "${prefix}". Write refs/heads/, refs/tags/ or the like.`);
  }
  return {
    project,
    url,
    where: publicAddress(url),
    refPrefix,
    env: {
      ...serverEnvironment({ env_from: PASSED_ON }, env),
      // Messages are recognised by their words.
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      GIT_ALLOW_PROTOCOL: protocol,
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_OPTIONAL_LOCKS: '0',
      ...credentials(config, place, url, env),
    },
  };
}

function readUrl(text: string, place: string, baseDir: string): { url: string; protocol: string } {
  if (/^-|\p{Cc}/u.test(text) || text.includes('::')) {
    throw unavailable(`${place} is no address of a repository that may be used.`);
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    // user@host:path, as opposed to a path that holds a colon further on.
    if (/^[\w.-]+@[\w.-]+:./.test(text)) return { url: text, protocol: 'ssh' };
    return { url: resolve(baseDir, text), protocol: 'file' };
  }
  if (!['https', 'http', 'ssh', 'file'].includes(scheme)) {
    throw unavailable(`${place} begins with ${scheme}://. Write https://, ssh://, file:// or a path.`);
  }
  if (scheme !== 'file' && (!URL.canParse(text) || new URL(text).password !== '')) {
    throw unavailable(
      `${place} is no address, or holds a password. Take it out and name the variable that holds it in token_env.`,
    );
  }
  return { url: text, protocol: scheme };
}

/** The token as a header, through the environment: arguments are seen by every user, and a file would outlive us. */
function credentials(
  config: GitRepositoryConfig,
  place: string,
  url: string,
  env: Environment,
): Record<string, string> {
  const { token_env: variable } = config;
  if (variable === undefined) return {};
  if (!/^https?:\/\//i.test(url)) {
    throw unavailable(`${place}.token_env is for addresses with http(s). Take it out, or correct the url.`);
  }
  const token = env[variable] ?? '';
  if (token === '' || /\p{Cc}/u.test(token)) {
    throw unavailable(
      `The environment variable ${variable} is not set, or is no token; ${place}.token_env takes the token from it. Set it and start again.`,
    );
  }
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basicCredential(config, token)}`,
  };
}
