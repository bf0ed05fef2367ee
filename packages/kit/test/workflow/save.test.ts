import { readFileSync } from 'node:fs';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { StepConfig } from '../../src/definition/skill-definition.ts';
import type { PromptResult } from '../../src/workflow/result.ts';
import { openRun } from '../../src/workflow/run.ts';
import { END, skillOf } from './skill-of.ts';

interface Recorded {
  readonly label: string;
  readonly next_prompt?: string;
  readonly completed?: unknown;
  readonly stderr_warnings?: number;
  readonly throws?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('../../../../conformance/kit/save-semantics.json', import.meta.url), 'utf8'),
) as Recorded[];

const act: StepConfig['action'] = () => ({ act: 1 });
const saving = (saved: unknown): Partial<StepConfig> => ({ save: () => saved });

const CASES: Readonly<Record<string, Partial<StepConfig>>> = {
  'no save, no action': {},
  'no save, action': { action: act },
  'save returns undefined': saving(undefined),
  'save returns null': saving(null),
  'save returns {}': saving({}),
  'save returns {} with action': { ...saving({}), action: act },
  'save {step}': saving({ step: 'only' }),
  'save {step: undefined} with action': { ...saving({ step: undefined }), action: act },
  'save {step: null}': saving({ step: null }),
  'save {step: 0}': saving({ step: 0 }),
  'save sub-store partial top level': saving({ env: { h: 'x' } }),
  'save sub-store partial nested': saving({ env: { deep: { x: 1 } } }),
  'save undeclared store': saving({ other: { z: 1 } }),
  'save wrong type (warned, still written)': saving({ env: { h: 5 } }),
  'save non-object store value': saving({ env: 'str' }),
  'save throws': {
    save: () => {
      throw new Error('boom');
    },
  },
};

/** What is recorded loses a null, and warns of what the types allow. */
const CORRECTED: Readonly<Record<string, Partial<Recorded>>> = {
  'save {step: null}': { next_prompt: '<prompt>\n{"a":null,"env":null}\n</prompt>' },
  'save sub-store partial nested': { stderr_warnings: 0 },
};

function openWith(config: Partial<StepConfig>, warnings: string[] = []) {
  const definition = skillOf({
    stores: { env: type({ h: 'string', deep: { x: 'number', y: 'number' } }) },
    steps: {
      a: { prompt: 'A', response: type({ n: 'number' }), next: 'b', ...config },
      b: {
        prompt: ({ store }) => JSON.stringify({ a: store.steps['a'], env: store['env'] ?? null }),
        next: END,
      },
    },
  });
  return openRun(definition, { warn: (line) => warnings.push(line) });
}

describe('what is kept of an answer', () => {
  it('has a case for everything that is recorded', () => {
    expect(Object.keys(CASES)).toEqual(recorded.map(({ label }) => label));
  });

  it.each(recorded.map((entry) => [entry.label, entry] as const))(
    'is what is recorded: %s',
    async (label, entry) => {
      const warnings: string[] = [];
      const run = openWith(CASES[label] ?? {}, warnings);
      await run.start();
      if (entry.throws !== undefined) {
        await expect(run.advance('a', { n: 5 })).rejects.toThrow(entry.throws);
        return;
      }
      const result = (await run.advance('a', { n: 5 })) as PromptResult;
      expect({
        label,
        next_prompt: result.prompt,
        completed: result.completed,
        stderr_warnings: warnings.length,
      }).toEqual({ ...entry, ...CORRECTED[label] });
    },
  );

  it('is the same after a replay', async () => {
    for (const config of Object.values(CASES).slice(0, -1)) {
      const run = openWith(config);
      await run.start();
      await run.advance('a', { n: 5 });
      const taken = openWith(config);
      taken.replay(JSON.parse(JSON.stringify(run.history)));
      expect(taken.promptOf('b')).toEqual(run.promptOf('b'));
      expect(taken.history).toEqual(run.history);
    }
  });

  it('merges objects at every depth, replaces anything else, and takes a key __proto__ for a key', async () => {
    const run = openRun(
      skillOf({
        steps: {
          a: {
            prompt: 'A',
            save: () => ({
              env: JSON.parse('{"soil":{"ph":1},"tags":["x"],"__proto__":{"polluted":1}}') as unknown,
            }),
            next: 'b',
          },
          b: {
            prompt: 'B',
            save: () => ({ env: { soil: { mix: 'loam' }, tags: ['y'], ph: undefined } }),
            next: 'c',
          },
          c: { prompt: ({ store }) => JSON.stringify(store['env']), next: END },
        },
      }),
    );
    await run.start();
    await run.advance('a', {});
    expect(await run.advance('b', {})).toMatchObject({
      prompt: '<prompt>\n{"soil":{"ph":1,"mix":"loam"},"tags":["y"],"__proto__":{"polluted":1}}\n</prompt>',
    });
    expect({}).not.toHaveProperty('polluted');
  });
});
