import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProgramError } from '../program-error.ts';
import type { VerbCall } from './verb.ts';

/**
 * The folder of a skill that a verb was given.
 * @returns absolute
 * @throws ProgramError USAGE unless there is exactly one word, NOT_FOUND when it is no folder
 */
export function oneFolder(verb: string, { words, io }: VerbCall): string {
  const [word, ...others] = words;
  if (word === undefined || others.length > 0) {
    throw new ProgramError('USAGE', `${verb} takes exactly one skill directory`);
  }
  const folder = resolve(io.cwd, word);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ProgramError('NOT_FOUND', `${folder} is no folder`);
  }
  return folder;
}
