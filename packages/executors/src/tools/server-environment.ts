import type { Environment } from '../redaction.ts';

/**
 * What a program needs to find its way about, and nothing that an operator may have put there for us: no keys, no
 * addresses of stores.
 */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TZ',
  'TERM',
  'TMPDIR',
  // Windows does not start a program without these.
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** The environment of a child process: the bare minimum, what the configuration passes on, what it sets. */
export function serverEnvironment(
  server: { readonly env?: Readonly<Record<string, string>>; readonly env_from?: readonly string[] },
  env: Environment,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...(server.env_from ?? [])]) {
    const value = env[name];
    if (value !== undefined) result[name] = value;
  }
  return { ...result, ...server.env };
}

/** Variables that should be passed on and are not set: a likely cause when the server does not work. */
export function missingVariables(names: readonly string[] | undefined, env: Environment): string[] {
  return (names ?? []).filter((name) => env[name] === undefined);
}
