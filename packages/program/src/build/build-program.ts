import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isBelow } from '../files/is-below.ts';
import { replaceFile } from '../files/replace-file.ts';
import { readHostedSettings } from '../hosted/hosted-settings.ts';
import { ProgramError } from '../program-error.ts';
import { skillDigest } from '../skill/skill-digest.ts';
import { metadataProblems, readMetadata } from '../skill/skill-metadata.ts';
import { type Manifest, readManifest } from '../supervisor/manifest.ts';
import { bundleProgram } from './bundle-program.ts';
import { isBuilt, isCurrent } from './bundle-stamp.ts';
import { HOSTED_HEADING, hostedFile } from './hosted-file.ts';

export interface BuiltProgram {
  readonly name: string;
  /** What was written, from the folder. */
  readonly files: readonly string[];
  /** Of the skill as it is now. */
  readonly digest: string;
  readonly language: string;
}

const DESCRIPTION = 'skill.yaml';

/**
 * Makes what a skill is deployed as: the bundle that its manifest runs, when it has a `source`, and `skill.yaml`, by which
 * the platform knows it. Nothing is written when the skill is not good.
 * @param given the folder of the skill
 * @throws ProgramError SKILL_INVALID, BUILD_FAILED
 */
export async function buildProgram(given: string): Promise<BuiltProgram> {
  const folder = realpathSync(given);
  const metadata = await readMetadata(folder);
  const problems = metadataProblems(metadata, folder);
  if (problems.length > 0) throw new ProgramError('SKILL_INVALID', problems.join('\n'));
  const manifest = await readManifest(folder);
  if (manifest === null)
    throw new ProgramError(
      'SKILL_INVALID',
      `there is no skill.json in ${folder}: it says how the program is run`,
    );
  const hosted = readHostedSettings(manifest.hosted);
  const description = join(folder, DESCRIPTION);
  await keepForeign(description, (text) => text.startsWith(HOSTED_HEADING));

  const files: string[] = [];
  const target = bundleOf(folder, manifest);
  if (target !== null) {
    const path = join(folder, target.bundle);
    await keepForeign(path, isBuilt);
    const { code, map } = await bundleProgram(folder, target.source, target.bundle);
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(`${path}.map`, map);
    await replaceFile(path, code);
    files.push(target.bundle, `${target.bundle}.map`);
  }
  const digest = await skillDigest(folder);
  await replaceFile(description, hostedFile(metadata, hosted, digest.replace('sha256:', '')));
  return { name: metadata.name, files: [...files, DESCRIPTION], digest, language: manifest.language };
}

/**
 * The file that a program is built from and the one that is run, both from the folder of the skill.
 * @returns null when the skill names no source: its program is run as it is
 * @throws ProgramError SKILL_INVALID when the manifest does not say what is built
 */
function bundleOf(
  folder: string,
  { source, run }: Manifest,
): { readonly source: string; readonly bundle: string } | null {
  if (source === null) return null;
  const [program, ...args] = run;
  const bundle = args.find((arg) => !arg.startsWith('-'));
  if (program !== 'node' || bundle === undefined || !bundle.endsWith('.mjs') || bundle === source) {
    throw invalid('a skill with a `source` must run what is built from it: "run": ["node", "<name>.mjs"]');
  }
  for (const file of [source, bundle]) {
    if (!liesIn(folder, file)) throw invalid(`"${file}" is not in the folder of the skill`);
  }
  if (!existsSync(join(folder, source))) throw invalid(`the source "${source}" is not there`);
  return { source, bundle };
}

/** Whether a file lies in a folder, wherever links lead. It need not be there yet. */
function liesIn(folder: string, file: string): boolean {
  const path = resolve(folder, file);
  if (!isBelow(path, folder)) return false;
  let there = dirname(path);
  while (!existsSync(there)) there = dirname(there);
  return isBelow(realpathSync(there), realpathSync(folder));
}

/**
 * Makes sure that what is run is what the sources say: otherwise an author wonders why a change does nothing.
 * @param folder absolute
 * @throws ProgramError SKILL_INVALID
 */
export async function checkBundle(folder: string, manifest: Manifest): Promise<void> {
  const target = bundleOf(folder, manifest);
  if (target === null) return;
  const { source, bundle } = target;
  const path = join(folder, bundle);
  const text = existsSync(path) ? await readFile(path, 'utf8') : null;
  if (text !== null && (await isCurrent(text, folder))) return;
  const what = text === null ? 'is not built yet' : `is not built from ${source} as it is now`;
  throw new ProgramError('SKILL_INVALID', `${bundle} ${what}; run skillyard program build`);
}

/** @throws ProgramError BUILD_FAILED for a file that no build has written */
async function keepForeign(path: string, isOurs: (text: string) => boolean): Promise<void> {
  if (!existsSync(path) || isOurs(await readFile(path, 'utf8'))) return;
  const message = `${path} was not written by a build, and would be overwritten; give it another name, or remove it`;
  throw new ProgramError('BUILD_FAILED', message);
}

function invalid(message: string): ProgramError {
  return new ProgramError('SKILL_INVALID', `skill.json: ${message}`);
}
