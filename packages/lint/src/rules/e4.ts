import { quoted } from '@skillyard/engine';
import { isComputed } from '../call-target.ts';
import { isGiven } from '../given.ts';
import { listed } from '../listed.ts';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** E4: a delegate to a skill that nobody knows. A name with braces is only known at run time. */
export const checkE4: FlowCheck = ({ steps, facts }, report) => {
  const delegates = stepsOf(steps, 'delegate').filter(({ step }) => !isComputed(step.skill));
  if (delegates.length === 0) return;
  if (!isGiven(facts.skillNames)) {
    report.skip('skill_names');
    return;
  }
  const known = new Set(facts.skillNames);
  for (const { step, place, label } of delegates) {
    if (known.has(step.skill)) continue;
    report.add({
      position: stepPosition(step, 'delegate.skill'),
      step: place,
      message: `${label} delegates to ${quoted(step.skill)}, and there is no such skill.`,
      hint: `Name one that exists: ${listed(known)}.`,
    });
  }
};
