import { SkillyardError } from '@skillyard/contracts';
import { createSkillFinder, type SkillFinder } from '@skillyard/runtime';

/** The skills in the folders of the configuration, as they are now: those that every tenant can name. */
export function skillFolders(folders: readonly string[]): SkillFinder {
  const finder = createSkillFinder(folders, 'followed');
  return {
    ...finder,
    read(name, version) {
      if (folders.length > 0) return finder.read(name, version);
      const message = `the skill "${name}" is asked for, and the configuration names no folder of skills; list them under \`skills\`, or upload it`;
      return Promise.reject(new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name } }));
    },
  };
}
