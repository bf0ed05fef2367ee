import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SkillyardError } from '@skillyard/contracts';
import { extract, type Extract } from 'tar-stream';
import { cleanPath } from './clean-path.ts';
import { LIMITS } from './limits.ts';
import { hasUtf8Name } from './list-folder.ts';
import type { SearchReport } from './search-report.ts';

/** One file of an archive, or what else is in one. */
type Entry = Extract extends AsyncIterable<infer One> ? One : never;

/** The ending decides how an archive is read; `.tgz` is none. */
export function isArchivePath(path: string): boolean {
  return path.endsWith('.tar') || path.endsWith('.tar.gz');
}

/**
 * Reads the files of a tar archive into memory; nothing is written to disk. Names that climb out, links and devices are
 * left out with a warning.
 * @param path absolute
 * @param shown the archive, for people
 * @returns contents by cleaned path; of two entries of a path, the later one
 * @throws SkillyardError FILE_UNREADABLE when it is no archive or damaged, SKILL_TOO_LARGE when it is over a limit
 */
export async function readArchive(
  path: string,
  shown: string,
  report: SearchReport,
): Promise<Map<string, Uint8Array>> {
  const packedBytes = await sizeOf(path, shown);
  const unpack = extract();
  const bound = boundUnpacked(packedBytes, shown);
  const source = createReadStream(path);
  const unpacked = path.endsWith('.gz')
    ? pipeline(source, createGunzip(), bound, unpack)
    : pipeline(source, bound, unpack);
  const files = new Map<string, Uint8Array>();
  const collected = collect(unpack, files, shown, report);
  try {
    await Promise.all([unpacked, collected]);
  } catch (error) {
    source.destroy();
    // Whoever noticed first stopped the other; both have to be over before anybody goes on.
    const [first, second] = await Promise.allSettled([unpacked, collected]);
    throw ownError([error, reasonOf(first), reasonOf(second)]) ?? damaged(shown, error);
  }
  return files;
}

async function collect(
  entries: Extract,
  files: Map<string, Uint8Array>,
  shown: string,
  report: SearchReport,
): Promise<void> {
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > LIMITS.archiveEntries) {
      throw tooLarge(shown, `it has more than ${LIMITS.archiveEntries} entries`);
    }
    const path = acceptedPath(entry, shown, report);
    if (path === undefined) {
      entry.resume();
      continue;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
    files.set(path, Buffer.concat(chunks));
  }
}

/** @returns undefined for an entry that is not read */
function acceptedPath(entry: Entry, shown: string, report: SearchReport): string | undefined {
  const { name, type, size } = entry.header;
  const skip = (message: string, hint: string): undefined => {
    const file = `${shown}!/${name}`;
    report.add({ code: 'ARCHIVE_ENTRY_SKIPPED', severity: 'warning', message, hint }, file);
  };
  if (type === 'directory') return undefined;
  // "Contiguous" files are files.
  if (type !== 'file' && type !== 'contiguous-file') {
    return skip(`the entry is skipped: it is no file (${type})`, 'pack the file itself');
  }
  if (!hasUtf8Name(name) || name.includes('\0')) {
    return skip('the entry is skipped: its name is not UTF-8', 'rename the file and pack it again');
  }
  if (name.length > LIMITS.archiveNameChars) {
    return skip(`the entry is skipped: its name has ${name.length} characters`, 'use shorter names');
  }
  const path = cleanPath(name);
  if (path === undefined || path === '' || path === '/') {
    return skip(
      'the entry is skipped: its name leads out of the archive',
      'pack from the folder of the skills',
    );
  }
  if (size > LIMITS.archiveEntryBytes) {
    const message = `the entry is skipped: it has ${size} bytes, more than ${LIMITS.archiveEntryBytes}`;
    return skip(message, 'move large data out of the skill');
  }
  return path;
}

/** Ends the reading when more comes out than may: a few kilobytes of gzip can stand for gigabytes. */
function boundUnpacked(packedBytes: number, shown: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > LIMITS.archiveBytes) {
        done(tooLarge(shown, `it holds more than ${LIMITS.archiveBytes} bytes`));
      } else if (bytes > LIMITS.archiveRatioFloor && bytes > packedBytes * LIMITS.archiveRatio) {
        done(tooLarge(shown, `it unpacks to more than ${LIMITS.archiveRatio} times its size`));
      } else {
        done(null, chunk);
      }
    },
  });
}

async function sizeOf(path: string, shown: string): Promise<number> {
  const stats = await stat(path).catch((cause: unknown) => {
    const message = `the archive ${shown} cannot be read: check the path`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown }, cause });
  });
  if (!stats.isFile()) {
    const message = `${shown} is no archive but ${stats.isDirectory() ? 'a folder' : 'something else'}; rename it`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown } });
  }
  return stats.size;
}

function tooLarge(shown: string, why: string): SkillyardError {
  const message = `the archive ${shown} is refused: ${why}; pack the skills only, or unpack it into a folder`;
  return new SkillyardError('SKILL_TOO_LARGE', message, { details: { file: shown } });
}

function damaged(shown: string, cause: unknown): SkillyardError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the archive ${shown} cannot be unpacked: ${reason}; .tar is packed plainly, .tar.gz by gzip`;
  return new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown }, cause });
}

function reasonOf(result: PromiseSettledResult<void>): unknown {
  return result.status === 'rejected' ? result.reason : undefined;
}

function ownError(errors: readonly unknown[]): SkillyardError | undefined {
  return errors.find((error) => SkillyardError.is(error));
}
