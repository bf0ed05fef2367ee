import { skillDigest } from '@skillyard/program/supervisor';
import { inTurns } from './in-turns.ts';
import { writeFiles } from './write-files.ts';
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
