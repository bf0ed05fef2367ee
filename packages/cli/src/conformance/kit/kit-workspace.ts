import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Buildable } from '@skillyard/kit';
import { type BuiltSkill, buildSkill, loadDefinition, type SkillProtocol } from '@skillyard/kit/build';

/** The name under which recorded skills import the kit. */
export const RECORDED_NAME = '@contentful/skill-kit';

/** A copy of the recorded skills in which they resolve the kit, and what was built of them. */
export interface KitWorkspace {
  /** Holds `skills/`. */
  readonly dir: string;
  /** The folder of the package of the kit. */
  readonly kit: string;
  readonly skills: readonly string[];
  /** The source file of a skill. */
  readonly entry: (skill: string) => string;
  readonly definition: (skill: string) => Promise<Buildable>;
  /** Built once, however many ask. */
  readonly built: (skill: string, protocol?: SkillProtocol) => Promise<BuiltSkill>;
  /** A new empty folder. */
  readonly folder: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** @param recorded the folder that holds `skills/` */
export async function openKitWorkspace(recorded: string): Promise<KitWorkspace> {
  // The real path: a session names its file by it.
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-conformance-')));
  const kit = dirname(dirname(createRequire(import.meta.url).resolve('@skillyard/kit')));
  await cp(join(recorded, 'skills'), join(dir, 'skills'), { recursive: true });
  const link = join(dir, 'node_modules', RECORDED_NAME);
  await mkdir(dirname(link), { recursive: true });
  await symlink(kit, link);
  const skills = (await readdir(join(dir, 'skills'))).toSorted();
  const entry = (skill: string): string => join(dir, 'skills', skill, 'skill.ts');
  const builds = new Map<string, Promise<BuiltSkill>>();
  const definitions = new Map<string, Promise<Buildable>>();
  let folders = 0;
  return {
    dir,
    kit,
    skills,
    entry,
    definition: (skill) =>
      once(definitions, skill, () => loadDefinition(entry(skill), { aliases: [RECORDED_NAME] })),
    built: (skill, protocol = 'session') =>
      once(builds, `${skill}-${protocol}`, () =>
        buildSkill(entry(skill), {
          outDir: join(dir, 'built', `${skill}-${protocol}`),
          mode: 'node',
          protocol,
          // What the check says has a file of its own.
          check: false,
          aliases: [RECORDED_NAME],
        }),
      ),
    folder: async () => {
      folders += 1;
      const made = join(dir, 'folders', String(folders));
      await mkdir(made, { recursive: true });
      return made;
    },
    remove: async () => rm(dir, { recursive: true, force: true }),
  };
}

function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const before = made.get(key);
  if (before !== undefined) return before;
  const now = make();
  made.set(key, now);
  return now;
}
