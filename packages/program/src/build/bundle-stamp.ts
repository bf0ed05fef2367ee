import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textDigest } from '../protocol/digest.ts';

const STAMP =
  /^\/\/ Built by `skillyard program build` from (?<files>\[.*\]), (?<digest>sha256:[0-9a-f]{64})$/m;

/**
 * The line that says of a bundle what it was built from, so that later nobody has to build to see whether it still is.
 * @param folder of the skill
 * @param files the author's, from the folder, sorted
 */
export async function stampOf(folder: string, files: readonly string[]): Promise<string> {
  return `// Built by \`skillyard program build\` from ${JSON.stringify(files)}, ${await digestOf(folder, files)}`;
}

/** Whether a file was built, and is not somebody's own. */
export function isBuilt(text: string): boolean {
  return STAMP.test(text);
}

/** Whether a bundle was built from the sources as they are now. */
export async function isCurrent(text: string, folder: string): Promise<boolean> {
  const { files = '[]', digest } = STAMP.exec(text)?.groups ?? {};
  try {
    return digest === (await digestOf(folder, JSON.parse(files) as string[]));
  } catch {
    // A source that cannot be read any more, or a line that somebody has changed: it is not what was built from.
    return false;
  }
}

async function digestOf(folder: string, files: readonly string[]): Promise<string> {
  const contents = await Promise.all(files.map((file) => readFile(join(folder, file))));
  return textDigest(
    Buffer.concat(contents.flatMap((content) => [Buffer.from(`${content.length}\0`), content])),
  );
}
