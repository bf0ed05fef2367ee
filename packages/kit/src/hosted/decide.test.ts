import type { CodeEvent, CodeRound, Directive, Json } from '@skillyard/contracts';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { ObserverMap, SkillDefinition, StepConfig } from '../definition/skill-definition.ts';
import { act as ask } from '../primitives/act.ts';
import { act } from './act.ts';
import { decide, type Decided } from './decide.ts';

/** A skill as the builder would make it. */
function skillOf(
  steps: Readonly<Record<string, StepConfig>>,
  more: Partial<SkillDefinition> = {},
): SkillDefinition {
  return {
    kind: 'skill',
    name: 'bakery',
    version: '1.0.0',
    description: 'Bakes.',
    entry: Object.keys(steps)[0] ?? '',
    system: 'You are a baker.',
    params: undefined,
    steps,
    observers: undefined,
    finalOutput: undefined,
    skillMd: undefined,
    resolveVersion: false,
    package: undefined,
    ...more,
  };
}

/** A turn as the platform runs it: every round is kept as JSON, and nothing else. */
class Turn {
  readonly #definition: SkillDefinition;
  readonly rounds: CodeRound[] = [];
  last: Decided['decision'] | undefined;

  constructor(definition: SkillDefinition) {
    this.#definition = definition;
  }

  async happens(event: CodeEvent): Promise<Directive> {
    const decided = await decide(this.#definition, { rounds: this.rounds, event });
    this.rounds.push(JSON.parse(JSON.stringify({ event, memo: decided.memo })) as CodeRound);
    this.last = decided.decision;
    return decided.decision.directive;
  }

  start(vars: Readonly<Record<string, string>> = {}): Promise<Directive> {
    return this.happens({ type: 'start', vars });
  }

  reply(value: Json | string): Promise<Directive> {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return this.happens({ type: 'reply', text, error: null });
  }

  answer(...answers: Json[]): Promise<Directive> {
    return this.happens({ type: 'answered', answers });
  }

  act(step: string): Promise<Json> {
    return act(this.#definition, { rounds: this.rounds, step }, AbortSignal.timeout(5000));
  }
}

const terminal = { terminal: true } as const;

describe('a decision of a hosted skill', () => {
  it('asks a model for what a prompt wants, and goes on with its answer', async () => {
    const turn = new Turn(
      skillOf(
        {
          flour: { prompt: 'Which flour?', response: type({ kind: 'string' }), next: 'weight' },
          weight: {
            prompt: ({ store }) => `How much ${(store.steps['flour'] as { kind: string }).kind}?`,
            response: type({ grams: 'number' }),
            next: terminal,
          },
        },
        { hosted: { tools: ['pantry:look'], model: 'wise' } },
      ),
    );
    const first = await turn.start();
    expect(first).toMatchObject({
      do: 'generate',
      step: 'flour',
      instruction: '<prompt>\nWhich flour?\n</prompt>',
      tools: ['pantry:look'],
      model: 'wise',
      schema: { type: 'object', required: ['kind'] },
    });
    expect((first as { system: string }).system).toMatch(/^You are a baker\.\n\nYou carry out a skill/);
    expect(await turn.reply({ kind: 'rye' })).toMatchObject({
      step: 'weight',
      instruction: '<prompt>\nHow much rye?\n</prompt>',
    });
    expect(await turn.reply('```json\n{"grams": 500}\n```')).toEqual({
      do: 'end',
      output: { grams: 500 },
      error: null,
    });
  });

  it('says to the first model what the turn is about, and to no other', async () => {
    const turn = new Turn(
      skillOf({ one: { prompt: 'One.', next: 'two' }, two: { prompt: 'Two.', next: terminal } }),
    );
    expect(await turn.start({ input: 'a <loaf>' })).toMatchObject({
      instruction: '<request>\na &lt;loaf&gt;\n</request>\n\n<prompt>\nOne.\n</prompt>',
    });
    expect(await turn.reply('ready')).toMatchObject({ instruction: '<prompt>\nTwo.\n</prompt>' });
  });

  it('takes params from variables, by their schema', async () => {
    const definition = skillOf(
      { say: { prompt: ({ params }) => JSON.stringify(params), next: terminal } },
      { params: type({ name: 'string', loaves: 'number', 'rush?': 'boolean' }) },
    );
    const prompt = async (vars: Record<string, string>): Promise<unknown> => {
      const directive = await new Turn(definition).start(vars);
      return directive.do === 'generate' ? directive.instruction : directive;
    };
    expect(await prompt({ name: '12', loaves: '12', rush: 'true' })).toContain(
      '{"loaves":12,"name":"12","rush":true}',
    );
    expect(await prompt({ input: '{"name":"Ida","loaves":2}', loaves: '3' })).toContain(
      '{"name":"Ida","loaves":3}',
    );
    expect(await prompt({ name: 'Ida', loaves: 'many' })).toMatchObject({
      do: 'end',
      error: { code: 'INPUT_INVALID', message: expect.stringContaining('loaves') as string },
    });
  });

  it('lets a refused answer be given again, as often as the skill allows, and then fails the turn', async () => {
    const turn = new Turn(
      skillOf(
        { flour: { prompt: 'Which?', response: type({ grams: 'number' }), next: terminal } },
        { hosted: { maxRetries: 2 } },
      ),
    );
    await turn.start();
    const again = await turn.reply({ grams: 'many' });
    expect(again).toMatchObject({ do: 'generate', step: 'flour', schema: { type: 'object' } });
    expect((again as { instruction: string }).instruction).toContain('grams must be a number');
    expect(turn.last?.observed).toMatchObject([{ event: 'onStepValidationFailed', step: 'flour' }]);
    expect(await turn.reply('about a pound')).toMatchObject({ do: 'generate' });
    expect(await turn.reply({ grams: null })).toMatchObject({
      do: 'end',
      error: { code: 'MODEL_ANSWER_INVALID', message: expect.stringContaining('refused 3 times') as string },
    });
  });

  it('repeats the whole prompt when the endpoint could not make an answer of it', async () => {
    const turn = new Turn(
      skillOf({ flour: { prompt: 'Which?', response: type({ grams: 'number' }), next: terminal } }),
    );
    await turn.start();
    const error = { code: 'MODEL_ANSWER_INVALID', message: 'it was cut off' };
    const again = await turn.happens({ type: 'reply', text: '', error });
    expect((again as { instruction: string }).instruction).toMatch(/Which\?[\s\S]*it was cut off/);
    expect(await turn.reply({ grams: 1 })).toMatchObject({ do: 'end', error: null });
  });

  it('asks for an action, runs it with the input of that decision, and records what it gave', async () => {
    let asked = 0;
    const turn = new Turn(
      skillOf({
        weigh: {
          prompt: 'How much?',
          response: type({ grams: 'number' }),
          action: {
            run: {
              kind: 'action',
              name: 'oven.bake',
              input: type({ grams: 'number', order: 'number' }),
              output: type({ loaf: 'string' }),
              effect: 'idempotent',
              timeoutMs: 900,
              run: ({ input }) => ({ loaf: JSON.stringify(input) }),
            },
            mapInput: ({ response }) => ({ ...(response as object), order: ++asked }),
          },
          next: 'tell',
        },
        tell: { prompt: ({ store }) => JSON.stringify(store.steps['weigh']), next: terminal },
      }),
    );
    await turn.start();
    expect(await turn.reply({ grams: 5 })).toEqual({
      do: 'act',
      step: 'weigh',
      action: 'oven.bake',
      effect: 'idempotent',
      input: { grams: 5, order: 1 },
      timeoutMs: 900,
    });
    const value = await turn.act('weigh');
    expect(value).toEqual({ loaf: '{"grams":5,"order":1}' });
    expect(await turn.happens({ type: 'acted', value })).toMatchObject({
      step: 'tell',
      instruction: expect.stringContaining(String.raw`{"loaf":"{\"grams\":5,\"order\":1}"}`) as string,
    });
    await expect(turn.act('weigh')).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('passes gates without a job, and stops at one with an action', async () => {
    const turn = new Turn(
      skillOf({
        open: { next: 'heat' },
        heat: { action: () => ({ degrees: 220 }), next: 'check' },
        check: {
          next: ({ store }) => ((store.steps['heat'] as { degrees: number }).degrees > 200 ? 'bake' : 'heat'),
        },
        bake: { prompt: 'Bake.', next: terminal },
      }),
    );
    expect(await turn.start()).toMatchObject({
      do: 'act',
      step: 'heat',
      action: 'heat',
      effect: 'once',
      input: {},
    });
    expect(turn.last?.passed).toEqual(['open']);
    expect(await turn.happens({ type: 'acted', value: await turn.act('heat') })).toMatchObject({
      step: 'bake',
    });
    expect(turn.last?.passed).toEqual(['check']);
  });

  it('calls observers, and tells what happened without what was said', async () => {
    const seen: string[] = [];
    const observers: ObserverMap = {
      onStepComplete: ({ step, response }) => seen.push(`${step} ${JSON.stringify(response)}`),
    };
    const turn = new Turn(
      skillOf({ say: { prompt: 'Say.', response: type({ word: 'string' }), next: terminal } }, { observers }),
    );
    await turn.start();
    expect(turn.last?.observed).toEqual([{ event: 'onStepStart', step: 'say', data: {} }]);
    await turn.reply({ word: 'secret' });
    expect(seen).toEqual(['say {"word":"secret"}']);
    expect(turn.last?.observed.map(({ event }) => event)).toEqual([
      'onStepComplete',
      'onTransition',
      'onSkillComplete',
    ]);
    expect(JSON.stringify(turn.last?.observed)).not.toContain('secret');
  });

  it('goes into a sub-skill and ends with what that gives', async () => {
    const inner = skillOf(
      {
        knead: {
          prompt: ({ params }) => `Knead ${(params as { dough: string }).dough}.`,
          response: type({ done: 'boolean' }),
          next: terminal,
        },
      },
      { name: 'kneading', system: 'You knead.', params: type({ dough: 'string' }) },
    );
    const turn = new Turn(
      skillOf(
        { route: { prompt: 'Where to?', response: type({ dough: 'string' }), next: 'subskill:kneading' } },
        { subskills: { kneading: { definition: inner, params: (response) => response } } },
      ),
    );
    await turn.start();
    const directive = await turn.reply({ dough: 'rye' });
    expect(directive).toMatchObject({
      do: 'generate',
      step: 'kneading/knead',
      instruction: '<prompt>\nKnead rye.\n</prompt>',
    });
    expect((directive as { system: string }).system).toMatch(/^You are a baker\.\n\nYou knead\./);
    expect(await turn.reply({ done: true })).toEqual({ do: 'end', output: { done: true }, error: null });
  });

  it('gives the same decision again for the same rounds and event', async () => {
    const definition = skillOf({
      a: { prompt: 'A', response: type({ n: 'number' }), next: 'b' },
      b: { prompt: 'B', next: 'self', maxVisits: 2, onMaxVisits: 'c' },
      c: { prompt: 'C', next: terminal },
    });
    const turn = new Turn(definition);
    await turn.start();
    await turn.reply({ n: 1 });
    await turn.reply('x');
    const event: CodeEvent = { type: 'reply', text: 'y', error: null };
    const once = await decide(definition, { rounds: turn.rounds, event });
    expect(await decide(definition, { rounds: turn.rounds, event })).toEqual(once);
    expect(once.decision.directive).toMatchObject({ step: 'c' });
  });
});

describe('a question to people in a hosted skill', () => {
  const approval: StepConfig = {
    prompt: () => [ask.confirm({ message: 'Throw it away?', destructive: true })],
    response: type({ approved: 'boolean' }),
    next: terminal,
  };

  it('is asked before a model is, and its answer is the response where it is plain', async () => {
    const turn = new Turn(skillOf({ approval }, { hosted: { askTimeoutMs: 1000 } }));
    expect(await turn.start()).toEqual({
      do: 'ask',
      step: 'approval',
      questions: [{ kind: 'confirm', text: 'Throw it away?', default: false, destructive: true }],
      timeoutMs: 1000,
    });
    expect(await turn.answer(true)).toEqual({ do: 'end', output: { approved: true }, error: null });
  });

  it('goes to a model with its answers when the prompt wants more', async () => {
    const turn = new Turn(
      skillOf({
        plan: {
          prompt: () => [
            'Plan the day.',
            ask.askUser({ type: 'open', question: 'For whom is "it"?' }),
            ask.survey([
              {
                question: 'Which?',
                options: [
                  { value: 'rye', label: 'Rye' },
                  { value: 'oat', label: 'Oat' },
                ],
                multiSelect: true,
              },
            ]),
          ],
          response: type({ text: 'string' }),
          next: terminal,
        },
      }),
    );
    const asked = await turn.start({ input: 'tomorrow' });
    expect(asked).toMatchObject({
      do: 'ask',
      questions: [{ kind: 'text' }, { kind: 'choice', multiSelect: true }],
    });
    const directive = await turn.answer('Ida & <Bo>', ['rye', 'oat']);
    expect(directive).toMatchObject({ do: 'generate', step: 'plan' });
    const { instruction } = directive as { instruction: string };
    expect(instruction).toMatch(/^<request>\ntomorrow\n<\/request>\n\n<prompt>\nPlan the day/);
    expect(instruction).toContain('<answer question="For whom is &quot;it&quot;?">Ida & &lt;Bo&gt;</answer>');
    expect(instruction).toContain('<answer question="Which?">["rye","oat"]</answer>');
    expect(await turn.reply({ text: 'done' })).toMatchObject({ do: 'end', output: { text: 'done' } });
  });

  it('that nobody answers in time has its default if it is a confirmation, and else ends the turn', async () => {
    const confirmed = new Turn(skillOf({ approval }));
    await confirmed.start();
    expect(await confirmed.happens({ type: 'answered', answers: null })).toMatchObject({
      output: { approved: false },
    });
    const open = new Turn(
      skillOf({ who: { prompt: () => ask.askUser({ type: 'open', question: 'Who?' }), next: terminal } }),
    );
    await open.start();
    expect(await open.happens({ type: 'answered', answers: null })).toMatchObject({
      do: 'end',
      error: { code: 'QUESTION_EXPIRED', message: 'step "who": nobody answered "Who?" in time.' },
    });
  });

  it('goes to a model after all when the skill does not take the plain response', async () => {
    const turn = new Turn(
      skillOf({
        who: {
          prompt: () => ask.askUser({ type: 'open', question: 'When?' }),
          response: type({ day: /^\d{4}-\d{2}-\d{2}$/ }),
          next: terminal,
        },
      }),
    );
    await turn.start();
    expect(await turn.answer('next Monday')).toMatchObject({ do: 'generate', step: 'who' });
    expect(await turn.reply({ day: '2026-12-07' })).toMatchObject({ do: 'end', error: null });
  });
});
