import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyseCycles, type Graph, visitLimits } from '../../src/workflow/analyse-cycles.ts';
import { VisitGuard } from '../../src/workflow/visit-guard.ts';
import { END } from './skill-of.ts';

interface Recorded {
  readonly label: string;
  readonly graph: Graph;
  readonly stepsInCycles?: readonly string[];
  readonly throws?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('../../../../conformance/kit/cycle-guard.json', import.meta.url), 'utf8'),
) as Recorded[];

/** Cycles that the recorded implementation does not see. */
const CORRECTED: Readonly<Record<string, readonly string[]>> = {
  'literal self is not an edge': ['a'],
  'single function step': ['a'],
  'second cycle hidden behind a finished node': ['b', 'a', 'c'],
};

const anywhere = (): string => 'a';

function graphOf({ graph }: Recorded): Graph {
  return Object.fromEntries(
    Object.entries(graph).map(([step, config]) => [
      step,
      config.next === '<function>' ? { ...config, next: anywhere } : config,
    ]),
  );
}

describe('analyseCycles', () => {
  it.each(recorded.map((entry) => [entry.label, entry] as const))(
    'finds what is recorded: %s',
    (label, entry) => {
      if (entry.throws === undefined) {
        expect(analyseCycles(graphOf(entry))).toEqual({
          stepsInCycles: CORRECTED[label] ?? entry.stepsInCycles,
          defaultMaxVisits: 10,
        });
      } else {
        expect(() => analyseCycles(graphOf(entry))).toThrow(/"a".*"ghost"/);
      }
    },
  );

  it('takes a chain of 20,000 steps, and 300 steps that may each lead anywhere', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `s${index}`);
    const chain = Object.fromEntries(names.map((name, index) => [name, { next: names[index + 1] ?? END }]));
    expect(analyseCycles(chain).stepsInCycles).toEqual([]);
    const anyOf = Object.fromEntries(names.slice(0, 300).map((name) => [name, { next: anywhere }]));
    expect(analyseCycles(anyOf).stepsInCycles).toHaveLength(300);
  });
});

describe('visitLimits', () => {
  it('bounds steps that may go round without passing a bounded one, ways to themselves included', () => {
    const limits = visitLimits({
      draft: { next: 'review', maxVisits: 20 },
      review: { next: 'draft' },
      ask: { next: [{ to: 'self', when: () => true }, { to: 'end' }] },
      loop: { next: 'loop' },
      end: { next: END },
    });
    expect(Object.fromEntries(limits)).toEqual({ draft: 20, ask: 10, loop: 10 });
  });
});

it('bounds a step that comes back to itself once the one between is used up', () => {
  const limits = visitLimits({
    ask: { next: 'try' },
    try: { next: END, maxVisits: 1, onMaxVisits: 'ask' },
  });
  expect(Object.fromEntries(limits)).toEqual({ ask: 10, try: 1 });
});

describe('VisitGuard', () => {
  it('counts the step that declares the limit, not the one it leads to', () => {
    const guard = new VisitGuard({
      draft: { next: 'review', maxVisits: 2, onMaxVisits: 'end' },
      review: { next: 'draft' },
      end: { next: END },
    });
    const visits = (of: Record<string, number>) => (step: string) => of[step] ?? 0;
    expect(guard.admit('review', visits({ draft: 2, review: 1 }))).toBe('review');
    expect(guard.admit('draft', visits({ draft: 1, review: 1 }))).toBe('draft');
    expect(guard.admit('draft', visits({ draft: 2, review: 2 }))).toBe('end');
  });

  it('refuses with CYCLE_GUARD where the fallbacks only lead to each other', () => {
    const guard = new VisitGuard({
      a: { next: 'b', maxVisits: 1, onMaxVisits: 'b' },
      b: { next: 'a', maxVisits: 1, onMaxVisits: 'a' },
    });
    expect(() => guard.admit('a', () => 1)).toThrow(
      expect.objectContaining({ code: 'CYCLE_GUARD' }) as Error,
    );
  });
});
