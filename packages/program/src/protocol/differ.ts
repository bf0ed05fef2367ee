import { elementsOf, membersOf } from './json-text.ts';

const LONGEST_SHOWN = 120;

/**
 * The first place where two requests differ, in words.
 * @param recorded the compact text that stands in the journal
 * @param now the compact text that the program came to this time
 */
export function whereTheyDiffer(recorded: string, now: string): string {
  let place = '';
  let [before, after]: readonly [string, string] = [recorded, now];
  for (;;) {
    if (before === after) return 'the requests are the same text now';
    const step = firstDifference(before, after);
    if (step === null)
      return `the first difference is ${place === '' ? 'the whole request' : `at ${place}`}: ${shown(before)} was recorded, and now it is ${shown(after)}`;
    if (step.before === step.after)
      return `the keys ${place === '' ? '' : `of ${place} `}stand in another order`;
    place += step.place.startsWith('[') || place === '' ? step.place : `.${step.place}`;
    if (step.before === null) return `${place} is new: ${shown(step.after ?? '')}`;
    if (step.after === null) return `${place} is gone: ${shown(step.before)} was recorded`;
    [before, after] = [step.before, step.after];
  }
}

interface Step {
  readonly place: string;
  /** null: there is nothing at this place. Two times the same: only the order is another one. */
  readonly before: string | null;
  readonly after: string | null;
}

/** null: these are no two objects and no two lists, or they differ in nothing that can be named. */
function firstDifference(before: string, after: string): Step | null {
  const [from, to] = [partsOf(before), partsOf(after)];
  if (from === null || to === null || before[0] !== after[0]) return null;
  for (const [place, text] of from) {
    const other = to.get(place) ?? null;
    if (other !== text) return { place, before: text, after: other };
  }
  for (const [place, text] of to) if (!from.has(place)) return { place, before: null, after: text };
  return { place: '', before, after: before };
}

function partsOf(text: string): ReadonlyMap<string, string> | null {
  if (text.startsWith('{')) return new Map(membersOf(text).map(([key, value]) => [placeOf(key), value]));
  if (text.startsWith('['))
    return new Map(elementsOf(text).map((value, index) => [`[${index}]`, value] as const));
  return null;
}

function placeOf(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : `[${JSON.stringify(key)}]`;
}

function shown(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
