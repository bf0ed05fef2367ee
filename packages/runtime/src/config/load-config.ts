import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readRegularFile } from '@skillyard/catalog';
import { type Config, type Diagnostic, formatPlace, SkillyardError } from '@skillyard/contracts';
import { checkConfig } from './check-config.ts';
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
const MAX_BYTES = 1024 * 1024;

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
  const document = parseConfigDocument(await readText(file, shown));
  if (!('value' in document)) {
    const { message, hint, position } = document;
    throw invalid(shown, [{ code: 'CONFIG_INVALID', severity: 'error', message, hint, position }]);
  }
  const diagnostics = checkConfig(document);
  if (diagnostics.length > 0) throw invalid(shown, diagnostics);
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

async function readText(file: string, shown: string): Promise<string> {
  try {
    const found = await readRegularFile(file, MAX_BYTES);
    if (found.kind === 'folder') throw unreadable(shown, 'it is a folder');
    if (found.kind === 'irregular') throw unreadable(shown, 'it is no regular file');
    if (found.kind === 'too-large') {
      const message = `${shown} has ${found.size}; a configuration has at most ${MAX_BYTES}. Is it the right file?`;
      throw new SkillyardError('CONFIG_INVALID', message, { details: { file: shown } });
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
  } catch (error) {
    if (SkillyardError.is(error)) throw error;
    if (error instanceof TypeError) {
      throw new SkillyardError('CONFIG_INVALID', `${shown} is not UTF-8 text. Save it as UTF-8.`, {
        cause: error,
      });
    }
    throw unreadable(shown, reason(error), error);
  }
}

function unreadable(shown: string, why: string, cause?: unknown): SkillyardError {
  const message = `the configuration ${shown} cannot be read: ${why}. Name a file with --config.`;
  return new SkillyardError('FILE_UNREADABLE', message, {
    details: { file: shown },
    ...(cause !== undefined && { cause }),
  });
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'ELOOP') return 'the link leads back to itself';
  return error instanceof Error ? error.message : String(error);
}

function invalid(file: string, diagnostics: readonly Diagnostic[]): SkillyardError {
  const lines = diagnostics.map(
    (one) => `${formatPlace({ ...one, file })}: ${one.message}; ${one.hint ?? ''}`,
  );
  const first = diagnostics[0]?.position;
  const place = first ? { line: first.line, column: first.column } : {};
  return new SkillyardError('CONFIG_INVALID', lines.join('\n'), { details: { file, ...place } });
}

/** As short as it is clear: relative inside the working directory, absolute outside. */
function displayPath(file: string, cwd: string): string {
  const near = relative(cwd, file);
  return near.startsWith('..') || isAbsolute(near) ? file : join(near);
}
