import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { ActionDefinition, StepConfig } from '../../src/definition/skill-definition.ts';
import type { PromptResult, WorkflowResult } from '../../src/workflow/result.ts';
import { openRun } from '../../src/workflow/run.ts';
import { END, skillOf } from './skill-of.ts';

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

const parcels = skillOf({
  params: type({ depot: "string = 'North'" }),
  steps: {
    inspect: {
      prompt: ({ params }) => `Inspect at ${(params as { depot: string }).depot}.`,
      response: type({ kg: 'number' }),
      next: 'weigh',
    },
    weigh: { next: ({ store }) => ((store.steps['inspect'] as { kg: number }).kg > 20 ? 'heavy' : 'stamp') },
    heavy: { save: () => ({ step: { heavy: true } }), next: 'stamp' },
    stamp: { prompt: 'Stamp it.', next: 'close' },
    close: { next: END },
  },
});

describe('a run of a plain skill', () => {
  it('returns the answered step as completed and the prompt-less ones after it as autoAdvanced', async () => {
    const run = openRun(parcels);
    const start = await run.start();
    expect(start).toMatchObject({
      kind: 'prompt',
      step: 'inspect',
      prompt: '<prompt>\nInspect at North.\n</prompt>',
    });
    expect(Object.keys(start)).toEqual(['kind', 'step', 'preamble', 'prompt', 'schema']);
    const next = await run.advance('inspect', { kg: 25 });
    expect(next).toEqual({
      kind: 'prompt',
      step: 'stamp',
      prompt: '<prompt>\nStamp it.\n</prompt>',
      schema: null,
      completed: { step: 'inspect', response: { kg: 25 }, result: { kg: 25 } },
      autoAdvanced: [
        { step: 'weigh', response: {}, result: {} },
        { step: 'heavy', response: {}, result: { heavy: true } },
      ],
    });
    expect(run.current).toBe('stamp');
  });

  it('ends with the answer of the last step that has a prompt', async () => {
    const run = openRun(parcels);
    await run.start();
    await run.advance('inspect', { kg: 2 });
    expect(await run.advance('stamp', 'thrown away, for the step has no schema')).toEqual({
      kind: 'done',
      done: true,
      finalOutput: {},
      completed: { step: 'stamp', response: {}, result: {} },
      autoAdvanced: [{ step: 'close', response: {}, result: {} }],
    });
    expect(run.current).toBeNull();
  });

  it('keeps the preamble when the entry has no prompt', async () => {
    const run = openRun(
      skillOf({ system: 'Be brief.', steps: { gate: { next: 'ask' }, ask: { prompt: 'Well?', next: END } } }),
    );
    const passed: PromptResult[] = [];
    const start = (await openRun(run.definition, {
      onPassed: (result) => passed.push(result),
    }).start()) as PromptResult;
    expect(start.preamble).toMatch(/^Be brief\.\n\n/);
    expect(start.autoAdvanced).toEqual([{ step: 'gate', response: {}, result: {} }]);
    expect(start).not.toHaveProperty('completed');
    expect(passed).toEqual([{ kind: 'prompt', step: 'gate', prompt: '<prompt>\n\n</prompt>', schema: null }]);
  });

  it('tells of passed steps with what led to each of them', async () => {
    const passed: WorkflowResult[] = [];
    const run = openRun(parcels, { onPassed: (result) => passed.push(result) });
    await run.start();
    await run.advance('inspect', { kg: 25 });
    expect(passed).toMatchObject([
      { step: 'weigh', completed: { step: 'inspect' } },
      { step: 'heavy', completed: { step: 'weigh' } },
    ]);
  });

  it('refuses an answer without recording it, and lets it be given again', async () => {
    const run = openRun(parcels);
    await run.start();
    expect(await run.advance('inspect', { kg: 'much' })).toEqual({
      kind: 'error',
      error: 'validation',
      step: 'inspect',
      message: 'kg: kg must be a number (was a string)',
      retry: true,
    });
    expect(run.history).toEqual([]);
    expect(run.current).toBe('inspect');
    expect(await run.advance('ghost', {})).toMatchObject({ message: 'Unknown step "ghost"', retry: false });
  });

  it('refuses params that do not fit, by name', () => {
    const definition = skillOf({
      params: type({ plot: 'string' }),
      steps: { a: { prompt: 'A', next: END } },
    });
    expect(() => openRun(definition)).toThrow('"plot": plot must be a string (was missing)');
    expect(() => openRun(definition)).toThrow(withCode('PARAMS_INVALID'));
  });

  it('refuses a graph with a target that is nothing, and one that leads to an unregistered parent', () => {
    const leadingTo = (next: string) => skillOf({ steps: { a: { prompt: 'A', next } } });
    expect(() => openRun(leadingTo('ghost'))).toThrow(withCode('TARGET_UNKNOWN'));
    expect(() => openRun(leadingTo('topic:ghost'))).toThrow(withCode('TARGET_UNKNOWN'));
    expect(() => openRun(leadingTo('__parent__'))).toThrow('Step "a" has next "__parent__"');
  });

  it('leaves everything as it was when a function leads nowhere', async () => {
    const run = openRun(
      skillOf({
        steps: {
          a: {
            prompt: 'A',
            response: type({ to: 'string' }),
            save: ({ response }) => ({ log: response }),
            next: ({ response }) => (response as { to: string }).to,
          },
          b: { prompt: ({ store }) => JSON.stringify(store['log'] ?? null), next: END },
        },
      }),
    );
    await run.start();
    await expect(run.advance('a', { to: 'moon' })).rejects.toThrow(withCode('TARGET_UNKNOWN'));
    expect(run.history).toEqual([]);
    expect(run.current).toBe('a');
    expect(await run.advance('a', { to: 'b' })).toMatchObject({ prompt: '<prompt>\n{"to":"b"}\n</prompt>' });
  });

  it('checks the final output before it records the answer', async () => {
    const run = openRun(
      skillOf({
        finalOutput: type({ score: 'number <= 10' }),
        steps: { rate: { prompt: 'Rate.', response: type({ score: 'number' }), next: END } },
      }),
    );
    await run.start();
    await expect(run.advance('rate', { score: 50 })).rejects.toThrow(
      'score: score must be at most 10 (was 50)',
    );
    expect(run.history).toEqual([]);
    expect(await run.advance('rate', { score: 5 })).toMatchObject({
      kind: 'done',
      finalOutput: { score: 5 },
    });
    expect(run.history).toHaveLength(1);
  });

  it('runs a step that leads to itself at most ten times', async () => {
    const run = openRun(skillOf({ steps: { again: { prompt: 'Again?', next: 'self' } } }));
    await run.start();
    for (let visit = 1; visit < 10; visit += 1) {
      await run.advance('again', {});
    }
    await expect(run.advance('again', {})).rejects.toThrow(withCode('CYCLE_GUARD'));
  });

  it('throws NO_BRANCH when no branch holds', async () => {
    const run = openRun(skillOf({ steps: { a: { prompt: 'A', next: [{ to: 'a', when: () => false }] } } }));
    await run.start();
    await expect(run.advance('a', {})).rejects.toThrow(withCode('NO_BRANCH'));
  });

  it('freezes answers, action results and params at every depth', async () => {
    const answer = { deep: { list: [1] } };
    const params = { deep: { list: [1] } };
    const run = openRun(
      skillOf({
        steps: {
          a: {
            prompt: 'A',
            response: type({ deep: { list: 'number[]' } }),
            action: ({ response }) => {
              (response as typeof answer).deep.list.push(2);
            },
            next: END,
          },
        },
      }),
      { params },
    );
    await run.start();
    await expect(run.advance('a', answer)).rejects.toThrow(withCode('ACTION_FAILED'));
    expect(() => params.deep.list.push(2)).toThrow(TypeError);
  });

  it('gives a store that has no keys to list and cannot be written to', async () => {
    let seen: unknown;
    const run = openRun(
      skillOf({
        steps: {
          a: { prompt: 'A', save: () => ({ env: { x: 1 } }), next: 'b' },
          b: {
            prompt: ({ store }) => {
              seen = [
                JSON.stringify(store),
                'env' in store,
                store.steps['constructor'],
                store['env'],
                store.steps.ran('a'),
              ];
              expect(() => Object.assign(store, { env: 1 })).toThrow(TypeError);
              return 'B';
            },
            next: END,
          },
        },
      }),
    );
    await run.start();
    await run.advance('a', {});
    expect(seen).toEqual(['{}', false, undefined, { x: 1 }, true]);
  });

  it('throws REFERENCE_MISSING for a reference when it was given none', async () => {
    const run = openRun(
      skillOf({ steps: { a: { prompt: ({ refs }) => refs.load('rules.md'), next: END } } }),
    );
    await expect(run.start()).rejects.toThrow(withCode('REFERENCE_MISSING'));
  });
});

describe('the action of a step', () => {
  const actionOf = (given: Partial<ActionDefinition>): ActionDefinition => ({
    kind: 'action',
    name: 'weigh',
    input: type({ grams: 'number >= 0' }),
    output: type({ ounces: 'number' }),
    effect: 'once',
    run: () => ({ ounces: 1 }),
    ...given,
  });
  const runWith = (action: StepConfig['action']) =>
    openRun(
      skillOf({
        steps: {
          a: { prompt: 'A', response: type({ grams: 'number' }), action, next: 'b' },
          b: { prompt: 'B', next: END },
        },
      }),
    );

  it('gets an input that fits and gives an output that fits', async () => {
    const run = runWith({ run: actionOf({}) });
    await run.start();
    await expect(run.advance('a', { grams: -1 })).rejects.toThrow(withCode('ACTION_INPUT_INVALID'));
    const wrong = runWith({ run: actionOf({ run: () => ({ ounces: 'one' }) }) });
    await expect(wrong.advance('a', { grams: 1 })).rejects.toThrow(withCode('ACTION_OUTPUT_INVALID'));
    expect(await run.advance('a', { grams: 1 })).toMatchObject({
      completed: { actionResult: { ounces: 1 }, result: { ounces: 1 } },
    });
  });

  it('is what accept says it is, so that somebody else may perform it', async () => {
    const run = runWith({
      run: actionOf({ effect: 'idempotent', timeoutMs: 9 }),
      mapInput: ({ response }) => ({ grams: (response as { grams: number }).grams * 2 }),
    });
    await run.start();
    const accepted = run.accept('a', { grams: 3 });
    expect(accepted).toEqual({
      step: 'a',
      response: { grams: 3 },
      action: { name: 'weigh', input: { grams: 6 }, effect: 'idempotent', timeoutMs: 9 },
    });
    if ('kind' in accepted) {
      throw new Error(accepted.message);
    }
    expect(run.history).toEqual([]);
    expect(await run.complete(accepted, { ounces: 9 })).toMatchObject({
      step: 'b',
      completed: { result: { ounces: 9 } },
    });
  });

  it('is given up after its time, and when it is cancelled, even if it does not heed its signal', async () => {
    const deaf = () => new Promise(() => undefined);
    const slow = runWith({ run: actionOf({ timeoutMs: 5, run: deaf }) });
    await expect(slow.advance('a', { grams: 1 })).rejects.toThrow(withCode('ACTION_TIMEOUT'));
    const cancelled = new AbortController();
    const waiting = runWith({ run: actionOf({ run: deaf }) }).advance('a', { grams: 1 }, cancelled.signal);
    cancelled.abort();
    await expect(waiting).rejects.toThrow(withCode('ACTION_FAILED'));
    const late = runWith({ run: actionOf({ run: deaf }) }).advance('a', { grams: 1 }, AbortSignal.abort());
    await expect(late).rejects.toThrow(withCode('ACTION_FAILED'));
  });

  it('hears of its end by the signal', async () => {
    let reason: unknown;
    const run = runWith({
      run: actionOf({
        timeoutMs: 5,
        run: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              ({ reason } = signal);
              resolve({ ounces: 0 });
            });
          }),
      }),
    });
    await expect(run.advance('a', { grams: 1 })).rejects.toThrow(withCode('ACTION_TIMEOUT'));
    expect(reason).toMatchObject({ code: 'ACTION_TIMEOUT' });
  });

  it('of a prompt-less step stops the run where the caller performs actions', async () => {
    const definition = skillOf({
      steps: {
        a: { prompt: 'A', next: 'gate' },
        gate: { next: 'fetch' },
        fetch: { action: () => ({ n: 1 }), next: 'b' },
        b: { prompt: 'B', next: END },
      },
    });
    const run = openRun(definition, { stopAtActions: true });
    await run.start();
    expect(await run.advance('a', {})).toMatchObject({
      kind: 'prompt',
      step: 'fetch',
      autoAdvanced: [{ step: 'gate' }],
    });
    expect(run.promptOf('fetch')).toBeUndefined();
    const accepted = run.accept('fetch', {});
    if ('kind' in accepted) {
      throw new Error(accepted.message);
    }
    expect(accepted.action).toEqual({ name: 'fetch', input: {}, effect: 'once' });
    expect(await run.complete(accepted, { n: 2 })).toMatchObject({
      step: 'b',
      completed: { step: 'fetch', result: { n: 2 } },
    });
  });
});
