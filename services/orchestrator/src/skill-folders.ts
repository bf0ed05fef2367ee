import { SkillyardError } from '@skillyard/contracts';
import { createSkillFinder, type SkillFinder } from '@skillyard/runtime';

/** The skills that steps delegate to and skills include: those in the folders of the configuration, as they are now. */
export function skillFolders(folders: readonly string[]): Pick<SkillFinder, 'read' | 'close'> {
  const finder = createSkillFinder(folders, 'followed');
  return {
    read(name) {
      if (folders.length > 0) return finder.read(name);
      const message = `the skill "${name}" is asked for, and the configuration names no folder of skills; list them under \`skills\``;
      return Promise.reject(new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name } }));
    },
    close: () => finder.close(),
  };
}
