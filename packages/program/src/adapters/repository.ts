import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isBelow } from '../files/is-below.ts';
import { ProgramError } from '../program-error.ts';

/**
 * The root of the repository that a folder lies in.
 * @param folder absolute
 * @param named what `--root` says, absolute; undefined: the next folder above with a `.git`
 * @returns absolute, links resolved
 * @throws ProgramError USAGE when there is none, or the folder does not lie in it
 */
export function repositoryRoot(folder: string, named: string | undefined): string {
  const root = named ?? rootAbove(folder);
  if (root === null) {
    throw new ProgramError('USAGE', `cannot find repository root from ${folder}; pass --root`);
  }
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ProgramError('USAGE', `the root ${root} is no folder`);
  }
  const real = realpathSync(root);
  if (!isBelow(realpathSync(folder), real)) {
    throw new ProgramError(
      'USAGE',
      `${folder} is not in the repository ${real}; pass the --root that it lies in`,
    );
  }
  return real;
}

function rootAbove(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

/**
 * A path in the repository that may be written to: where links lead out of it, it may not.
 * @param root with links resolved
 * @param path from the root
 * @returns absolute, with the links of its folders resolved
 * @throws ProgramError SKILL_INVALID when it leaves the repository
 */
export function pathWithin(root: string, path: string): string {
  const wanted = resolve(root, path);
  const parts: string[] = [];
  let there = dirname(wanted);
  while (!existsSync(there)) {
    // Something is there all the same: a link that leads nowhere yet.
    if (lstatSync(there, { throwIfNoEntry: false }) !== undefined) throw leaves(there, root);
    parts.unshift(relative(dirname(there), there));
    there = dirname(there);
  }
  const folder = join(realpathSync(there), ...parts);
  if (!isBelow(folder, root)) throw leaves(wanted, root);
  return join(folder, relative(dirname(wanted), wanted));
}

/** The path of a skill as its adapters name it: from the root, with `/`. */
export function sourcePath(root: string, folder: string): string {
  const source = relative(root, realpathSync(folder)).split(sep).join('/');
  if (source === '' || isAbsolute(source)) {
    throw new ProgramError(
      'SKILL_INVALID',
      `${folder} is the root of the repository; a skill has a folder of its own`,
    );
  }
  if (/[;<>\r\n]/.test(source)) {
    throw new ProgramError(
      'SKILL_INVALID',
      `the path "${source}" must not contain ; < > or line breaks; rename the folder`,
    );
  }
  return source;
}

function leaves(path: string, root: string): ProgramError {
  return new ProgramError(
    'SKILL_INVALID',
    `${path} leads out of the repository ${root}, and is not written to`,
  );
}
