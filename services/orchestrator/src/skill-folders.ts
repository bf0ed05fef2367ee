import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { createSkillFinder } from '@skillyard/runtime';
import type { SkillSource } from './delegates.ts';

/** The skills that delegate steps may name: those in the folders of the configuration. */
export function skillFolders(folders: readonly string[]): SkillSource {
  const finder = createSkillFinder(folders);
  return {
    async read(name) {
      if (folders.length === 0) {
        const message = `a step delegates to "${name}", and the configuration names no folder of skills; list them under \`skills\``;
        throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name } });
      }
      const path = await finder.find(name);
      try {
        return { file: basename(path), text: await readFile(path, 'utf8') };
      } catch (error) {
        const message = `the skill "${name}" cannot be read from ${path}`;
        throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: path }, cause: error });
      }
    },
  };
}
