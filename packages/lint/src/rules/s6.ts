import { isBlank } from '@skillyard/engine';
import { headerPosition, type SkillCheck } from '../subject.ts';

/** S6: no trigger examples. */
export const checkS6: SkillCheck = ({ skill }, report) => {
  if (skill.triggerExamples.some((example) => !isBlank(example))) return;
  report.add({
    position: headerPosition(skill, 'trigger_examples'),
    message: 'The skill has no `trigger_examples`.',
    hint: 'Write two or three requests, in the words of a user, that the skill is for.',
  });
};
