import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillDefinition, StepRecord } from '../../src/definition/skill-definition.ts';
import { KitError } from '../../src/kit-error.ts';
import type { WorkflowResult } from '../../src/workflow/result.ts';
import { openRun, type Run } from '../../src/workflow/run.ts';
import { arbitrarySkill } from './arbitrary-skill.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);

const answers = fc.array(
  fc.record({ pick: fc.nat(20), note: fc.constantFrom(' padded ', 'plain') }, { requiredKeys: ['pick'] }),
  { minLength: 1, maxLength: 15 },
);

type Answer = { readonly pick: number };

/** What a call gave, as it would be written down. */
type Told = { readonly result: unknown } | { readonly refused: string };

interface Walk {
  readonly told: readonly Told[];
  readonly results: readonly WorkflowResult[];
  /** The history and the step before each of the answers. */
  readonly stops: readonly { readonly history: readonly StepRecord[]; readonly current: string | null }[];
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Answers the run until there is nothing more to answer, or nothing more to say. */
async function walk(
  run: Run,
  begin: () => Promise<WorkflowResult | null>,
  given: readonly Answer[],
): Promise<Walk> {
  const told: Told[] = [];
  const results: WorkflowResult[] = [];
  const stops: Walk['stops'][number][] = [];
  const call = async (calling: () => Promise<WorkflowResult | null>): Promise<void> => {
    try {
      const result = await calling();
      if (result !== null) {
        results.push(result);
        told.push({ result: asJson(result) });
      }
    } catch (error) {
      if (!KitError.is(error)) {
        throw error;
      }
      told.push({ refused: error.message });
    }
  };
  await call(begin);
  for (const answer of given) {
    const { current } = run;
    if (current === null) {
      break;
    }
    stops.push({ history: run.history, current });
    await call(() => run.advance(current, { ...answer }));
  }
  return { told, results, stops };
}

/** Null for a random skill that is refused before it runs. */
function open(definition: SkillDefinition): Run | null {
  try {
    return openRun(definition);
  } catch (error) {
    if (KitError.is(error)) {
      return null;
    }
    throw error;
  }
}

describe('a random skill', () => {
  it('goes on from its history, at any point, as if it had never stopped', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(arbitrarySkill, answers, async (definition, given) => {
        const run = open(definition);
        if (run === null) {
          return;
        }
        const whole = await walk(run, () => run.start(), given);
        for (const [at, stop] of whole.stops.entries()) {
          // Before the first record a history says nothing of whether the run has started.
          if (stop.history.length === 0) {
            continue;
          }
          const taken = openRun(definition);
          taken.replay(asJson(stop.history));
          expect(taken.current).toBe(stop.current);
          expect(taken.history).toEqual(stop.history);
          const rest = await walk(taken, async () => null, given.slice(at));
          expect(rest.told).toEqual(whole.told.slice(at + 1));
          compared += rest.told.length;
        }
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS);
  });

  it('tells of everything that is new in its history, once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySkill, answers, async (definition, given) => {
        const run = open(definition);
        if (run === null) {
          return;
        }
        const { results } = await walk(run, () => run.start(), given);
        const news = results.flatMap((result) =>
          result.kind === 'error'
            ? []
            : [...(result.completed === undefined ? [] : [result.completed]), ...(result.autoAdvanced ?? [])],
        );
        expect(news).toEqual(run.history);
      }),
      { numRuns: RUNS },
    );
  });

  it('ends by itself: no step is entered more often than its limit', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySkill, async (definition) => {
        const run = open(definition);
        if (run === null) {
          return;
        }
        const { told } = await walk(
          run,
          () => run.start(),
          Array.from({ length: 400 }, () => ({ pick: 1 })),
        );
        const isOver = run.current === null || told.some((call) => 'refused' in call);
        expect(isOver).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
