import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ProgramError } from '../program-error.ts';
import type { ProgramIo } from './program-io.ts';

/** What a file or standard input may have. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The bytes of a file that was named on the command line.
 * @throws ProgramError NOT_FOUND, or USAGE when it is too large
 */
export async function readNamed(io: ProgramIo, name: string): Promise<Buffer> {
  try {
    const file = await open(resolve(io.cwd, name));
    try {
      return await allOf(file.createReadStream({ autoClose: false, end: MAX_BYTES }), name);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (ProgramError.is(error)) throw error;
    throw new ProgramError('NOT_FOUND', `open ${name}: ${whyOf(error)}`, { cause: error });
  }
}

/** @throws ProgramError USAGE when it is too large */
export async function readInput(io: ProgramIo): Promise<string> {
  return (await allOf(io.input, 'standard input')).toString('utf8');
}

async function allOf(stream: AsyncIterable<unknown>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > MAX_BYTES)
      throw new ProgramError(
        'USAGE',
        `${name} has more than ${MAX_BYTES} bytes: pass a path instead of the content`,
      );
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

function whyOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or directory';
  return error instanceof Error ? error.message : String(error);
}
