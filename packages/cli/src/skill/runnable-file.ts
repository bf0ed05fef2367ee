import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';

/** A skill file that can be run, whatever was named. */
export interface RunnableFile {
  readonly file: string;
  /** The folder that a configuration may lie in. */
  readonly folder: string;
  /** Removes what was made for this run. */
  close(): Promise<void>;
}

const SOURCE = /\.[cm]?[jt]s$/;
const MANIFEST = 'skill.json';

/**
 * Finds the skill file behind what a person names: the file itself, the folder of a built skill, or the source of a skill
 * written with the kit, which is built for this run.
 * @throws SkillyardError SKILL_INVALID when the source cannot be built, or a program was not
 */
export async function runnableFile(named: string, cwd: string): Promise<RunnableFile> {
  const path = resolve(cwd, named);
  refusePartOfProgram(path, named);
  if (SOURCE.test(path)) return buildForNow(path);
  const inFolder = join(path, 'skill.yaml');
  const file = existsSync(inFolder) ? inFolder : path;
  refuseUnbuilt(file, named);
  return { file, folder: dirname(file), close: async () => {} };
}

/**
 * Finds the skill file that a running system is handed: the file itself, or that of a built skill's folder.
 * @throws SkillyardError SKILL_INVALID for a source, or a program that is not built: workers run what was built and lies where they look
 */
export function submittableFile(named: string, cwd: string): string {
  refusePartOfProgram(resolve(cwd, named), named);
  if (!SOURCE.test(named)) {
    if (existsSync(resolve(cwd, named, 'skill.yaml'))) return join(named, 'skill.yaml');
    refuseUnbuilt(resolve(cwd, named), named);
    return named;
  }
  const message = `${named} is the source of a skill, and workers run built ones; build it into a folder that \`skills\` of the configuration names (skillyard kit build ${named} -o <folder> --mode node) and submit that folder`;
  throw new SkillyardError('SKILL_INVALID', message, { details: { file: named } });
}

/** @throws SkillyardError SKILL_INVALID for the folder of a program, which has no skill file before it is built */
function refuseUnbuilt(path: string, named: string): void {
  if (!existsSync(join(path, MANIFEST))) return;
  const message = `${named} is a program that is not built for the platform: it has a skill.json and no skill.yaml; write it with \`skillyard program build ${named}\``;
  throw new SkillyardError('SKILL_INVALID', message, { details: { file: named } });
}

/**
 * A program is known by its folder. Its source is no skill of the kit, and looking for one in it would run it.
 * @throws SkillyardError SKILL_INVALID for its source, and for its manifest
 */
function refusePartOfProgram(path: string, named: string): void {
  if (!SOURCE.test(path) && basename(path) !== MANIFEST) return;
  const manifest = join(dirname(path), MANIFEST);
  if (!existsSync(manifest) || !readFileSync(manifest, 'utf8').includes('"yield_version"')) return;
  const folder = dirname(named);
  const message = `${named} belongs to a program, which is run by its folder: build it with \`skillyard program build ${folder}\`, and name ${folder}`;
  throw new SkillyardError('SKILL_INVALID', message, { details: { file: named } });
}

async function buildForNow(source: string): Promise<RunnableFile> {
  // Loaded when needed: most skills are not built here.
  const { buildSkill } = await import('@skillyard/kit/build');
  const outDir = await mkdtemp(join(tmpdir(), 'skillyard-run-'));
  const close = (): Promise<void> => rm(outDir, { recursive: true, force: true });
  try {
    const { definition } = await buildSkill(source, { outDir, mode: 'node' });
    if (definition.kind !== 'skill') {
      throw new Error(`"${definition.name}" is a reference skill: it has topics to read and nothing to run`);
    }
    return { file: join(outDir, 'skill.yaml'), folder: dirname(source), close };
  } catch (error) {
    await close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SkillyardError('SKILL_INVALID', `${source} is no skill that can be run: ${reason}`, {
      cause: error,
      details: { file: source },
    });
  }
}
