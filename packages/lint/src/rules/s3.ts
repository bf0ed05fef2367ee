import { SkillyardError } from '@skillyard/contracts';
import { isBlank } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import { PlaybookPlaces } from '../playbook-place.ts';
import type { SkillCheck } from '../subject.ts';

/**
 * S3: the playbook matches a construct that was removed; each construct is reported where it stands first.
 * @throws SkillyardError INPUT_INVALID if a pattern is no regular expression
 */
export const checkS3: SkillCheck = (subject, report) => {
  const { playbook } = subject.skill;
  const { staleApis } = subject.options;
  if (isBlank(playbook)) return;
  if (!isGiven(staleApis)) {
    report.skip('stale_apis');
    return;
  }
  for (const { pattern, what, instead } of staleApis) {
    const found = firstMatch(playbook, expression(pattern));
    if (found === undefined) continue;
    report.add({
      position: new PlaybookPlaces(subject).next(found),
      message: `The playbook uses ${what}, which was removed.`,
      hint: `Write ${instead} instead.`,
    });
  }
};

/** A pattern that also matches nothing finds nothing there. */
function firstMatch(text: string, pattern: RegExp): string | undefined {
  for (const [match] of text.matchAll(pattern)) if (match !== '') return match;
  return undefined;
}

function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gu');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `a pattern of \`stale_apis\` is no regular expression: ${reason}; mend the pattern`;
    throw new SkillyardError('INPUT_INVALID', message, { details: { pattern }, cause });
  }
}
