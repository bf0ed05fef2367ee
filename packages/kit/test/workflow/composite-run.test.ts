import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { PromptResult, WorkflowResult } from '../../src/workflow/result.ts';
import { openRun, openSubskill } from '../../src/workflow/run.ts';
import { END, skillOf } from './skill-of.ts';

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

const mooring = skillOf({
  name: 'mooring',
  system: 'You are the harbour master.',
  params: type({ vessel: "string = 'unnamed'" }),
  topics: { ropes: { label: 'Ropes', content: () => 'Hemp.' } },
  steps: {
    measure: {
      prompt: ({ params }) => `Measure ${(params as { vessel: string }).vessel}.`,
      response: type({ metres: 'number > 0' }),
      next: 'gate',
    },
    gate: {
      next: ({ store }) =>
        (store.steps['measure'] as { metres: number }).metres > 30 ? 'topic:ropes' : 'berth',
    },
    berth: {
      prompt: ({ store, params }) =>
        `Berth for ${(params as { vessel: string }).vessel}, gate ran ${store.steps.all('gate').length} times.`,
      response: type({ berth: 'string' }),
      next: END,
    },
  },
});

const customs = skillOf({
  name: 'customs',
  params: type({ flag: 'string' }),
  steps: {
    declare: { prompt: ({ params }) => `Flag ${(params as { flag: string }).flag}.`, next: 'clear' },
    clear: { prompt: 'Clear.', next: END },
  },
});

const harbour = skillOf({
  name: 'harbour',
  steps: {
    greet: {
      prompt: 'Greet.',
      response: type({ intent: 'string' }),
      next: ({ response }) => {
        const { intent } = response as { intent: string };
        return intent === 'gates' ? 'pause' : intent;
      },
    },
    pause: { next: 'subskill:mooring' },
  },
  topics: {
    tides: { label: 'Tides', content: ({ refs }) => refs.load('tides.md') },
  },
  subskills: {
    mooring: {
      definition: mooring,
      params: (response, store) => ({
        vessel: `${(response as { intent?: string }).intent ?? 'gate'}-${store.steps.history.length}`,
      }),
    },
    customs: { definition: customs, params: () => ({ flag: 'blue' }) },
  },
});

const references = { load: (file: string) => `text of ${file}`, asset: (path: string) => path };

describe('a run of a composite', () => {
  it('leaves for a sub-skill with mapped params, the preamble of the sub-skill and prefixed names', async () => {
    const run = openRun(harbour);
    await run.start();
    const result = (await run.advance('greet', { intent: 'subskill:mooring' })) as PromptResult;
    expect(result).toMatchObject({
      step: 'mooring/measure',
      prompt: '<prompt>\nMeasure subskill:mooring-1.\n</prompt>',
      completed: { step: 'greet' },
    });
    expect(result.preamble).toMatch(/^You are the harbour master\./);
    expect(result).not.toHaveProperty('autoAdvanced');
    expect(await run.advance('mooring/measure', { metres: 9 })).toMatchObject({
      step: 'mooring/berth',
      completed: { step: 'mooring/measure' },
      autoAdvanced: [{ step: 'mooring/gate' }],
    });
    expect(run.current).toBe('mooring/berth');
    expect(await run.advance('berth', { berth: 'A' })).toMatchObject({
      kind: 'done',
      finalOutput: { berth: 'A' },
      completed: { step: 'mooring/berth' },
    });
    expect(run.current).toBeNull();
    expect(run.history.map(({ step }) => step)).toEqual([
      'greet',
      'mooring/measure',
      'mooring/gate',
      'mooring/berth',
    ]);
  });

  it('keeps the params of the sub-skill in a run that only has the history', async () => {
    const run = openRun(harbour);
    await run.start();
    await run.advance('greet', { intent: 'subskill:customs' });
    const taken = openRun(harbour);
    taken.replay(JSON.parse(JSON.stringify(run.history)));
    expect(taken.current).toBe('customs/declare');
    expect(taken.promptOf('customs/declare')).toBe('Flag blue.');
    expect(await taken.advance('customs/declare', {})).toMatchObject({ step: 'customs/clear' });
  });

  it('lists the gates of the dispatcher after the answer that it leaves with', async () => {
    const run = openRun(harbour);
    await run.start();
    expect(await run.advance('greet', { intent: 'gates' })).toMatchObject({
      step: 'mooring/measure',
      prompt: '<prompt>\nMeasure gate-2.\n</prompt>',
      completed: { step: 'greet' },
      autoAdvanced: [{ step: 'pause' }],
    });
  });

  it('ends with a topic, also in a skill without sub-skills and in a sub-skill', async () => {
    const run = openRun(harbour, { references });
    await run.start();
    expect(await run.advance('greet', { intent: 'topic:tides' })).toEqual({
      kind: 'done',
      done: true,
      finalOutput: { topic: 'tides', content: 'text of tides.md' },
      completed: { step: 'greet', response: { intent: 'topic:tides' }, result: { intent: 'topic:tides' } },
    });
    expect(run.current).toBeNull();
    const inSubskill = openSubskill(harbour, 'mooring');
    expect(await inSubskill.advance('measure', { metres: 31 })).toMatchObject({
      finalOutput: { topic: 'ropes', content: 'Hemp.' },
      completed: { step: 'mooring/measure' },
      autoAdvanced: [{ step: 'mooring/gate' }],
    });
    const plain = openRun(mooring);
    expect(await plain.advance('measure', { metres: 31 })).toMatchObject({ finalOutput: { topic: 'ropes' } });
  });

  it('leaves the dispatcher as it was when what it leads to is nothing or cannot be opened', async () => {
    const broken = skillOf({
      ...harbour,
      subskills: { ...harbour.subskills, customs: { definition: customs } },
    });
    const run = openRun(broken);
    await run.start();
    await expect(run.advance('greet', { intent: 'subskill:pilots' })).rejects.toThrow(/"pilots"/);
    await expect(run.advance('greet', { intent: 'topic:fog' })).rejects.toThrow(withCode('TARGET_UNKNOWN'));
    await expect(run.advance('greet', { intent: 'subskill:customs' })).rejects.toThrow(
      withCode('PARAMS_INVALID'),
    );
    expect(run.history).toEqual([]);
    expect(run.current).toBe('greet');
    expect(await run.advance('greet', { intent: 'subskill:mooring' })).toMatchObject({
      step: 'mooring/measure',
    });
  });

  it('names the step of a refused answer with its sub-skill', async () => {
    const run = openRun(harbour);
    run.replay([{ step: 'greet', response: { intent: 'subskill:mooring' } }]);
    expect(await run.advance('mooring/nope', {})).toMatchObject({
      step: 'mooring/nope',
      message: 'Unknown step "nope"',
      retry: false,
    });
    expect(await run.advance('mooring/measure', { metres: -1 })).toMatchObject({
      step: 'mooring/measure',
      message: 'metres: metres must be positive (was -1)',
      retry: true,
    });
    await expect(run.advance('pilots/x', {})).rejects.toThrow(/"pilots"/);
  });

  it('starts a sub-skill directly with its own params, and tells of its passed steps by their full names', async () => {
    const passed: WorkflowResult[] = [];
    const run = openSubskill(harbour, 'mooring', {
      params: { vessel: 'Wren' },
      onPassed: (result) => passed.push(result),
    });
    expect(await run.start()).toMatchObject({
      step: 'mooring/measure',
      prompt: '<prompt>\nMeasure Wren.\n</prompt>',
    });
    await run.advance('mooring/measure', { metres: 9 });
    expect(passed).toMatchObject([{ step: 'mooring/gate', completed: { step: 'mooring/measure' } }]);
    const warnings: string[] = [];
    const taken = openSubskill(harbour, 'mooring', {
      params: { vessel: 'Wren' },
      warn: (line) => warnings.push(line),
    });
    taken.replay([...run.history, 7]);
    expect(taken.promptOf('berth')).toBe('Berth for Wren, gate ran 1 times.');
    expect(warnings).toHaveLength(1);
    expect(() => openSubskill(harbour, 'nope')).toThrow(/"nope"/);
  });

  it('takes up what is malformed with a warning for each entry, and what is no array as nothing', () => {
    const warnings: string[] = [];
    const run = openRun(harbour, { warn: (line) => warnings.push(line) });
    run.replay([{ step: 7 }, { step: 'ghost', response: {} }, { step: 'greet' }, null]);
    expect(warnings).toHaveLength(3);
    run.replay({});
    expect(run.history).toEqual([]);
    expect(run.current).toBeNull();
  });
});
