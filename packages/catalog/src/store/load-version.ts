import { loadSkill } from '@skillyard/engine';
import type { SkillVersion, StoredSkill } from './skill-version.ts';

/**
 * A remembered version, to be run. Only texts are remembered: an old version is seldom asked for.
 * @throws RangeError if the text does not load, which it did before
 */
export function loadVersion(version: SkillVersion): StoredSkill {
  const { skill } = loadSkill(version.text, { file: version.file });
  if (skill === null)
    throw new RangeError(`a version of "${version.name}" that loaded does not load any more`);
  return { ...version, skill };
}
