import { isAbsolute, join, relative } from 'node:path';
import { readRegularFile } from '@skillyard/catalog';
import { type Diagnostic, formatPlace, SkillyardError } from '@skillyard/contracts';

const MAX_BYTES = 1024 * 1024;

/** A file of an operator, and how messages speak of it. */
export interface ConfigFile {
  readonly file: string;
  /** What it is, such as `the configuration skillyard.yaml`. */
  readonly what: string;
  /** What to do when it cannot be read. */
  readonly hint: string;
}

/**
 * Reads the text of a file of an operator.
 * @throws SkillyardError FILE_UNREADABLE
 * @throws SkillyardError CONFIG_INVALID if it is too large, or no UTF-8
 */
export async function readConfigText({ file, what, hint }: ConfigFile): Promise<string> {
  const unreadable = (why: string, cause?: unknown): SkillyardError =>
    new SkillyardError('FILE_UNREADABLE', `${what} cannot be read: ${why}. ${hint}`, {
      details: { file },
      ...(cause !== undefined && { cause }),
    });
  try {
    const found = await readRegularFile(file, MAX_BYTES);
    if (found.kind === 'folder') throw unreadable('it is a folder');
    if (found.kind === 'irregular') throw unreadable('it is no regular file');
    if (found.kind === 'too-large') {
      const message = `${what} has ${found.size}; it may have at most ${MAX_BYTES}. Is it the right file?`;
      throw new SkillyardError('CONFIG_INVALID', message, { details: { file } });
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
  } catch (error) {
    if (SkillyardError.is(error)) throw error;
    if (error instanceof TypeError) {
      throw new SkillyardError('CONFIG_INVALID', `${what} is not UTF-8 text. Save it as UTF-8.`, {
        details: { file },
        cause: error,
      });
    }
    throw unreadable(reason(error), error);
  }
}

/** All mistakes of a file as one error: each with file, line, column and a way out. */
export function invalidConfig(file: string, diagnostics: readonly Diagnostic[]): SkillyardError {
  const lines = diagnostics.map(
    (one) => `${formatPlace({ ...one, file })}: ${one.message}; ${one.hint ?? ''}`,
  );
  const first = diagnostics[0]?.position;
  const place = first ? { line: first.line, column: first.column } : {};
  return new SkillyardError('CONFIG_INVALID', lines.join('\n'), { details: { file, ...place } });
}

/** As short as it is clear: relative inside the working directory, absolute outside. */
export function displayPath(file: string, cwd: string): string {
  const near = relative(cwd, file);
  return near.startsWith('..') || isAbsolute(near) ? file : join(near);
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'ELOOP') return 'the link leads back to itself';
  return error instanceof Error ? error.message : String(error);
}
