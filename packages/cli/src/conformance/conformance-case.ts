import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { isRecord } from '../is-record.ts';
import { displayPath } from '../skill/read-file.ts';
import { readCaseJson } from './read-case-json.ts';

/** One recorded case: an operation, what goes in, what must come out. */
export interface ConformanceCase {
  readonly id: string;
  readonly title: string;
  readonly op: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: unknown;
}

/**
 * Reads the cases of files, and of every `*.json` file below folders. In a folder, what holds other JSON than a list of
 * objects with an `op` belongs to another suite and is passed over.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID, naming the file
 */
export async function readCases(paths: readonly string[], cwd: string): Promise<ConformanceCase[]> {
  const cases: ConformanceCase[] = [];
  for (const path of paths) {
    const full = resolve(cwd, path);
    const files = await jsonFiles(full, displayPath(path, cwd));
    for (const file of files) {
      const shown = displayPath(file, cwd);
      const value = await readCaseJson(file, shown, 'it must be a JSON array');
      if (file === full || hasOperations(value)) cases.push(...casesOf(value, shown));
    }
  }
  return cases;
}

function hasOperations(value: unknown): boolean {
  return Array.isArray(value) && value.some((one: unknown) => isRecord(one) && Object.hasOwn(one, 'op'));
}

async function jsonFiles(path: string, shown: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    const message = `there are no cases at ${shown}: no such file or folder; check the path`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown }, cause });
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
  if (files.length === 0) {
    throw new SkillyardError('INPUT_INVALID', `the folder ${shown} holds no *.json file of cases`, {
      details: { file: shown },
    });
  }
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

function casesOf(value: unknown, shown: string): ConformanceCase[] {
  if (!Array.isArray(value)) throw notCases(shown, 'it holds no JSON array');
  return value.map((one: unknown, index) => {
    if (!isRecord(one)) throw notCases(shown, `entry ${index} is no object`);
    const { id, title, op, input, expected } = one;
    if (typeof id !== 'string' || typeof op !== 'string' || !isRecord(input) || expected === undefined) {
      throw notCases(shown, `entry ${index} lacks one of id, op, input, expected`);
    }
    return { id, title: typeof title === 'string' ? title : id, op, input, expected };
  });
}

function notCases(file: string, reason: string): SkillyardError {
  const message = `${file} is no file of cases: ${reason}; a case is {id, title, op, input, expected}`;
  return new SkillyardError('INPUT_INVALID', message, { details: { file } });
}
