import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';

const FOR_EVERYBODY_TO_READ = 0o644;

/** Writes a file as a whole: who reads it meanwhile finds the one before or this one, and a link is not followed. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    // Whatever the umask of this user is.
    await chmod(temporary, FOR_EVERYBODY_TO_READ);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
