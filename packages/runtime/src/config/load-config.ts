import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '@skillyard/contracts';
import { checkConfig } from './check-config.ts';
import { displayPath, invalidConfig, readConfigText } from './config-file.ts';
import { parseConfigDocument } from './config-document.ts';
import { resolveConfigPaths } from './resolve-config-paths.ts';

/** Where a configuration is looked for. */
export interface ConfigSource {
  /** Named by the user: it must be there. */
  readonly file?: string | undefined;
  /** The folder of the skill: looked at before the working directory. */
  readonly beside?: string | undefined;
  readonly cwd: string;
  /** `SKILLYARD_CONFIG` names the file when `file` does not. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A checked configuration. */
export interface LoadedConfig {
  /** Paths in it are absolute. */
  readonly config: Config;
  /** Absolute; null when there is no file. */
  readonly file: string | null;
  /** What its relative paths were resolved against. */
  readonly baseDir: string;
}

const FILE_NAMES = ['skillyard.yaml', 'skillyard.yml'];

/**
 * Finds, reads and checks the configuration. Without a file everything is at its default.
 * @throws SkillyardError FILE_UNREADABLE if a named file cannot be read
 * @throws SkillyardError CONFIG_INVALID with every mistake, each with file, line, column and a way out
 */
export async function loadConfig(source: ConfigSource): Promise<LoadedConfig> {
  const file = await findFile(source);
  if (file === null) return { config: {}, file: null, baseDir: source.cwd };
  const baseDir = dirname(file);
  const shown = displayPath(file, source.cwd);
  const text = await readConfigText({
    file,
    what: `the configuration ${shown}`,
    hint: 'Name a file with --config.',
  });
  const document = parseConfigDocument(text);
  if (!('value' in document)) {
    const { message, hint, position } = document;
    throw invalidConfig(shown, [{ code: 'CONFIG_INVALID', severity: 'error', message, hint, position }]);
  }
  const diagnostics = checkConfig(document);
  if (diagnostics.length > 0) throw invalidConfig(shown, diagnostics);
  return { config: resolveConfigPaths(document.value as Config, baseDir), file, baseDir };
}

async function findFile(source: ConfigSource): Promise<string | null> {
  const named = source.file ?? source.env['SKILLYARD_CONFIG'];
  if (named !== undefined && named !== '') return resolve(source.cwd, named);
  for (const folder of [source.beside, source.cwd]) {
    if (folder === undefined) continue;
    for (const name of FILE_NAMES) {
      const file = resolve(source.cwd, folder, name);
      if (await exists(file)) return file;
    }
  }
  return null;
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
