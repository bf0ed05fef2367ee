import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
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

/**
 * Finds the skill file behind what a person names: the file itself, the folder of a built skill, or the source of a skill
 * written with the kit, which is built for this run.
 * @throws SkillyardError SKILL_INVALID when the source cannot be built
 */
export async function runnableFile(named: string, cwd: string): Promise<RunnableFile> {
  const path = resolve(cwd, named);
  if (SOURCE.test(path)) return buildForNow(path);
  const inFolder = join(path, 'skill.yaml');
  const file = existsSync(inFolder) ? inFolder : path;
  return { file, folder: dirname(file), close: async () => {} };
}

/**
 * Finds the skill file that a running system is handed: the file itself, or that of a built skill's folder.
 * @throws SkillyardError SKILL_INVALID for a source: workers run what was built and lies where they look
 */
export function submittableFile(named: string, cwd: string): string {
  if (!SOURCE.test(named))
    return existsSync(resolve(cwd, named, 'skill.yaml')) ? join(named, 'skill.yaml') : named;
  const message = `${named} is the source of a skill, and workers run built ones; build it into a folder that \`skills\` of the configuration names (skillyard kit build ${named} -o <folder> --mode node) and submit that folder`;
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
