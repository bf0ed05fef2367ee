import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import { mockModel, runComposite, runSkill } from '../src/testing/index.ts';
import { END, skillOf } from './workflow/skill-of.ts';

const draft = skillOf({
  steps: {
    draft: {
      prompt: ({ attempts }) => `Round ${attempts}.`,
      response: type({ happy: 'boolean' }),
      next: ({ response }) => ((response as { happy: boolean }).happy ? 'gate' : 'self'),
      maxVisits: 3,
      onMaxVisits: 'give-up',
    },
    gate: { next: 'give-up' },
    'give-up': {
      prompt: ({ refs, host }) => `Stop, ${host.host}: [${refs.load('rules.md')}]`,
      response: type({ excuse: 'string' }),
      next: END,
    },
  },
});

const desk = skillOf({
  name: 'desk',
  steps: {
    greet: {
      prompt: 'Greet.',
      response: type({ to: 'string' }),
      next: ({ response }) => (response as { to: string }).to,
    },
  },
  topics: { fees: { label: 'Fees', content: ({ refs }) => `Ten coins.${refs.load('fees.md')}` } },
  subskills: { draft: { definition: draft } },
});

describe('runSkill', () => {
  it('answers each visit in turn and gives the whole path, prompt-less steps included', async () => {
    const result = await runSkill(draft, {
      model: mockModel({
        draft: [{ happy: false }, { happy: true }],
        'give-up': (prompt: string) => ({ excuse: prompt }),
      }),
      host: 'codex',
    });
    const excuse = '<prompt>\nStop, codex: []\n</prompt>';
    expect(result).toMatchObject({
      path: ['draft', 'draft', 'gate', 'give-up'],
      outputs: { draft: { happy: true }, 'give-up': { excuse } },
      response: { excuse },
    });
    expect(result.history.map(({ step }) => step)).toEqual(result.path);
    expect(result.store.steps.all('draft')).toEqual([{ happy: false }, { happy: true }]);
  });

  it('fails with the step and the numbers when the model is asked too often, or not at all', async () => {
    const tired = runSkill(draft, { model: mockModel({ draft: [{ happy: false }] }) });
    await expect(tired).rejects.toThrow(/"draft" was asked 2 times.* 1 /);
    await expect(runSkill(draft, { model: mockModel({}) })).rejects.toThrow(/"draft"/);
  });

  it('fails on a rejected answer, unless it may be given again', async () => {
    const model = () =>
      mockModel({ draft: [{ happy: 'no' }, { happy: true }], 'give-up': { excuse: 'done' } });
    await expect(runSkill(draft, { model: model() })).rejects.toThrow(
      'Validation error at step "draft": happy: happy must be boolean (was "no")',
    );
    expect(await runSkill(draft, { model: model(), retries: 1 })).toMatchObject({
      path: ['draft', 'gate', 'give-up'],
    });
  });

  it('fails when the skill leaves for another', async () => {
    const model = mockModel({ greet: { to: 'topic:fees' } });
    await expect(runSkill(desk, { model })).rejects.toThrow(/redirect to "topic:fees"/);
  });
});

describe('runComposite', () => {
  it('goes through the dispatcher and the sub-skill, with all of the history', async () => {
    const model = mockModel({
      greet: { to: 'subskill:draft' },
      'draft/draft': { happy: true },
      'draft/give-up': { excuse: 'done' },
    });
    const result = await runComposite(desk, { model });
    expect(result).toMatchObject({
      path: ['greet', 'draft/draft', 'draft/gate', 'draft/give-up'],
      output: { excuse: 'done' },
      redirectedTo: { kind: 'subskill', name: 'draft' },
    });
    expect(result.history.map(({ step }) => step)).toEqual(result.path);
  });

  it('runs a sub-skill directly, and ends with a topic', async () => {
    const direct = await runComposite(desk, {
      directSubskill: 'draft',
      model: mockModel({ 'draft/draft': { happy: true }, 'draft/give-up': { excuse: 'x' } }),
    });
    expect(direct).toMatchObject({
      path: ['draft/draft', 'draft/gate', 'draft/give-up'],
      redirectedTo: { name: 'draft' },
    });
    const refs = { load: () => ' More.', asset: (path: string) => path };
    const topic = await runComposite(desk, { model: mockModel({ greet: { to: 'topic:fees' } }), refs });
    expect(topic).toMatchObject({
      output: { topic: 'fees', content: 'Ten coins. More.' },
      redirectedTo: { kind: 'topic', name: 'fees' },
    });
    await expect(runComposite(desk, { directSubskill: 'nope', model: mockModel({}) })).rejects.toThrow(
      /"nope"/,
    );
  });
});
