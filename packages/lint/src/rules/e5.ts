import { quoted } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import { PlaybookPlaces } from '../playbook-place.ts';
import type { SkillCheck } from '../subject.ts';

/** A word with an opening bracket behind it. */
const CALL = /(?<![\p{L}\p{Nd}_])([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*\(/gu;

/** E5: the playbook calls a known built-in tool that is neither declared nor implicit; each is reported once. */
export const checkE5: SkillCheck = (subject, report) => {
  const { skill, facts, options } = subject;
  const calls = new Map<string, string>();
  for (const [text, name = ''] of skill.playbook.matchAll(CALL)) if (!calls.has(name)) calls.set(name, text);
  if (calls.size === 0) return;
  if (!isGiven(facts.builtinTools)) {
    report.skip('builtin_tools');
    return;
  }
  const offered = new Set([...skill.builtinTools, ...(options.implicitBuiltins ?? [])]);
  for (const tool of new Set(facts.builtinTools)) {
    const call = calls.get(tool);
    if (call === undefined || offered.has(tool)) continue;
    report.add({
      position: new PlaybookPlaces(subject).next(call),
      message: `The playbook calls the built-in tool ${quoted(tool)}, which the skill does not declare.`,
      hint: `Write builtin_tools: [${tool}] in the header.`,
    });
  }
};
