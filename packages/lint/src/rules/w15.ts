import { quoted } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import { listed } from '../listed.ts';
import { type FlowCheck, headerPosition } from '../subject.ts';

/** W15: a built-in tool in the header that does not exist. */
export const checkW15: FlowCheck = ({ skill, facts }, report) => {
  if (skill.builtinTools.length === 0) return;
  if (!isGiven(facts.builtinTools)) {
    report.skip('builtin_tools');
    return;
  }
  const known = new Set(facts.builtinTools);
  for (const tool of new Set(skill.builtinTools)) {
    if (known.has(tool)) continue;
    report.add({
      position: headerPosition(skill, 'builtin_tools'),
      message: `The header declares the built-in tool ${quoted(tool)}, and there is no such tool.`,
      hint: `Name one that exists: ${listed(known)}.`,
    });
  }
};
