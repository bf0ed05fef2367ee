import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { skillDigest } from '@skillyard/program/supervisor';
import { inTurns } from './in-turns.ts';
import { judge, type RunRecording } from './yield-folder.ts';

interface SkillDigests {
  readonly cases: readonly {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly digest: string;
  }[];
}

/** Digests of the sources of skills, made of real folders. */
export const runSkillDigests: RunRecording = async (recording, name, { workspace }) =>
  inTurns((recording as SkillDigests).cases, async ({ name: entry, files, digest }) => {
    const folder = await workspace.folder();
    await writeFiles(folder, files);
    return judge({ name, entry, title: Object.keys(files).join(' ') }, digest, await skillDigest(folder));
  });

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
