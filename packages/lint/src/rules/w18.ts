import { namesAny, quoted } from '@skillyard/engine';
import { type FlowCheck, stepPosition } from '../subject.ts';

/** Alternatives looked at: every one is held against every other one, and nobody writes so many. */
const MAX_ALTERNATIVES = 200;

/** W18: an alternative of `contains` that never decides, because another one matches wherever it does. */
export const checkW18: FlowCheck = ({ steps, conditions }, report) => {
  for (const { step, place, label } of steps) {
    for (const { key, condition } of conditions.get(step) ?? []) {
      if (condition.form !== 'contains') continue;
      for (const [covered, covering] of coveredWords(condition)) {
        report.add({
          position: stepPosition(step, key),
          step: place,
          message: `${label}: the alternative ${quoted(covered)} is covered by ${quoted(covering)}, which matches wherever it does.`,
          hint: `Remove ${quoted(covered)}, or write ${quoted(covering)} longer if it matches too much.`,
        });
      }
    }
  }
};

type Contains = Parameters<typeof namesAny>[1];

function* coveredWords(condition: {
  readonly words: readonly string[];
  readonly sought: Contains;
}): Generator<readonly [covered: string, covering: string]> {
  const words = condition.words.slice(0, MAX_ALTERNATIVES);
  const sought = condition.sought.slice(0, MAX_ALTERNATIVES);
  for (const [at, word] of words.entries()) {
    const by = sought.findIndex((one, index) => {
      const { length } = one.needle.text;
      const other = sought[at]?.needle.text.length ?? 0;
      // Of two equal ones the first counts.
      return (length < other || (length === other && index < at)) && namesAny(word, [one]);
    });
    if (by >= 0) yield [word, words[by] ?? ''];
  }
}
