import { readRegularFile } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import { reasonOf } from '../skill/read-file.ts';

/** Recorded cases are large; no suite comes near this. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * The JSON of a file of cases.
 * @param file absolute
 * @param shown the name for messages
 * @param form what it must be, for messages; empty for nothing in particular
 * @throws SkillyardError FILE_UNREADABLE, or INPUT_INVALID for what is no JSON
 */
export async function readCaseJson(file: string, shown: string, form = ''): Promise<unknown> {
  try {
    return JSON.parse(await readText(file));
  } catch (cause) {
    const code = cause instanceof SyntaxError ? 'INPUT_INVALID' : 'FILE_UNREADABLE';
    const message = `${shown} is no file of cases: ${reasonOf(cause)}${form === '' ? '' : `; ${form}`}`;
    throw new SkillyardError(code, message, { details: { file: shown }, cause });
  }
}

async function readText(file: string): Promise<string> {
  const found = await readRegularFile(file, MAX_BYTES);
  if (found.kind === 'read') return found.bytes.toString('utf8');
  if (found.kind === 'too-large') throw new Error(`it has ${found.size}; at most ${MAX_BYTES} are read`);
  throw new Error(found.kind === 'folder' ? 'it is a folder' : 'it is no regular file');
}
