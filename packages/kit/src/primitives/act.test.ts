import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ActSegment } from '../definition/prompt-piece.ts';
import type { Option, SurveyQuestion } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { act } from './act.ts';

interface Case {
  readonly call: string;
  readonly ok: boolean;
  readonly value?: unknown;
  readonly error_name?: string;
  readonly message?: string | { readonly numbers: readonly number[] };
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../../conformance/kit/primitive-validation.json', import.meta.url), 'utf8'),
) as readonly Case[];

function optionsOf(count: number): Option[] {
  return Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `L${index}` }));
}

function structured(count: number): () => ActSegment {
  return () => act.askUser({ type: 'structured', question: 'q', options: optionsOf(count) });
}

function headed(length: number): () => ActSegment {
  const header = 'h'.repeat(length);
  return () => act.askUser({ type: 'structured', question: 'q', header, options: optionsOf(2) });
}

const CALLS: Readonly<Record<string, () => ActSegment>> = {
  'askUser structured with 0 options': structured(0),
  'askUser structured with 1 options': structured(1),
  'askUser structured with 2 options': structured(2),
  'askUser structured with 4 options': structured(4),
  'askUser structured with 5 options': structured(5),
  'askUser header of 12 characters': headed(12),
  'askUser header of 13 characters': headed(13),
  'askUser open': () => act.askUser({ type: 'open', question: 'q' }),
  'survey []': () => act.survey([]),
  'survey question without options': () => act.survey([{ question: 'q' } as unknown as SurveyQuestion]),
  'survey question with 1 option': () => act.survey([{ question: 'q', options: optionsOf(1) }]),
  'survey header 13': () => act.survey([{ question: 'q', header: 'h'.repeat(13), options: optionsOf(2) }]),
  'survey ok': () => act.survey([{ question: 'q', options: optionsOf(2) }]),
  'plan with no steps': () => act.plan({ summary: 's', steps: [] }),
  'checklist empty': () => act.checklist({ create: [] }),
  'confirm minimal': () => act.confirm({ message: 'm' }),
  'confirm full': () => act.confirm({ message: 'm', destructive: false, defaultAnswer: 'yes' }),
};

describe('act accepts and refuses what is recorded', () => {
  it.each(CASES.map((one) => [one.call, one] as const))('%s', (call, recorded) => {
    const make = CALLS[call];
    if (make === undefined) {
      throw new Error(`no call of the table is named "${call}"`);
    }
    if (recorded.ok) {
      expect(JSON.parse(JSON.stringify(make()))).toEqual(recorded.value);
      return;
    }
    const error = errorOf(make);
    expect(error.name).toBe(recorded.error_name);
    if (typeof recorded.message === 'object') {
      expect(KitError.is(error, 'SKILL_DEFINITION_INVALID')).toBe(true);
      const numbers = [...error.message.matchAll(/\b\d+\b/g)].map(Number);
      expect(numbers).toEqual(recorded.message.numbers);
    } else {
      expect(error.message).toBe(recorded.message);
    }
  });
});

describe('a segment', () => {
  it('is frozen, and so is its primitive', () => {
    const segment = act.confirm({ message: 'm' });
    expect(Object.isFrozen(segment)).toBe(true);
    expect(Object.isFrozen(segment.primitive)).toBe(true);
  });
});

function errorOf(make: () => unknown): Error {
  try {
    make();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
