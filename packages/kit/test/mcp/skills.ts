import { appendFileSync } from 'node:fs';
import type { Buildable } from '../../src/definition/skill-definition.ts';
import { act, action, reference, skill, terminal, type, view } from '../../src/index.ts';

/** The file that actions write a line to for every time they run. */
const LEDGER = process.env['LEDGER'] ?? '';

const Weigh = action({
  name: 'weigh',
  input: type({ seconds: 'number' }),
  output: type({ grams: 'number' }),
  run: ({ input }) => {
    appendFileSync(LEDGER, `weigh ${input.seconds}\n`);
    process.stdout.write('not of the protocol\n');
    return Promise.resolve({ grams: input.seconds * 2 });
  },
});

const tea = skill({
  name: 'tea',
  version: '1.2.0',
  system: 'You are a sommelier.',
  entry: 'warm',
  params: type({ leaf: 'string', loud: 'boolean = false' }),
  finalOutput: type({ score: '0 <= number <= 10' }),
})
  .step('warm', { next: 'brew' })
  .step('brew', {
    prompt: ({ params, refs }) => `Brew ${params.leaf}. ${refs.load('rules.md').trim()}`,
    response: type({ seconds: 'number.integer > 0' }),
    action: { run: Weigh },
    next: 'cool',
  })
  .step('cool', { next: 'sip' })
  .step('sip', {
    prompt: ({ store }) => `Sip ${store.steps.all('brew').length}, cooled ${store.steps.all('cool').length}.`,
    response: type({ again: 'boolean' }),
    maxVisits: 2,
    next: ({ response }) => (response.again ? 'sip' : 'verdict'),
  })
  .step('verdict', { prompt: 'Give a score.', response: type({ score: 'number' }), next: terminal })
  .build();

const mooring = skill({
  name: 'mooring',
  system: 'Speak as a harbour master.',
  entry: 'measure',
  params: type({ berth: "string = 'none'" }),
})
  .step('measure', {
    prompt: ({ params }) => `Measure at ${params.berth}.`,
    response: type({ metres: 'number' }),
    next: 'tie',
  })
  .step('tie', { prompt: ({ params }) => `Tie up at ${params.berth}.`, next: terminal })
  .build();

const desk = skill({ name: 'desk', entry: 'greet', system: 'You keep the desk.' })
  .step('greet', {
    prompt: 'Greet.',
    response: type({ intent: 'string' }),
    next: ({ response }) => response.intent,
  })
  .subskill('mooring', mooring, { params: () => ({ berth: 'seven' }) })
  .topic('tides', { label: 'Tide tables', content: ({ refs }) => refs.load('rules.md') })
  .build();

const knots = reference({ name: 'knots', version: '4.1.0', description: 'Knots.' })
  .topic('bowline', { label: 'Bowline knot', content: () => 'Make a loop.\n' })
  .topic('lost', { label: 'A file that is gone', content: ({ refs }) => refs.load('gone.md') })
  .build();

const slow = skill({ name: 'slow', entry: 'wait' })
  .step('wait', {
    prompt: 'Wait.',
    response: type('string[]'),
    action: async ({ signal }) => {
      appendFileSync(LEDGER, 'begun\n');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      appendFileSync(LEDGER, 'aborted\n');
      throw new Error('aborted');
    },
    next: terminal,
  })
  .build();

const crew = skill({ name: 'crew', entry: 'greet' })
  .step('greet', { prompt: 'Greet.', response: type({ name: 'string' }), next: 'sure' })
  .step('sure', {
    prompt: act.confirm({ message: 'Burn the map?', destructive: true }),
    response: type({ ok: 'boolean' }),
    next: ({ response }) => (response.ok ? 'pick' : 'work'),
  })
  .step('pick', {
    prompt: act.survey([
      {
        question: 'Which gear?',
        header: 'Gear',
        multiSelect: true,
        options: [
          { value: 'rope', label: 'Rope', description: 'Ten metres' },
          { value: 'axe', label: 'Axe' },
        ],
      },
      {
        question: 'Which route?',
        options: [
          { value: 'ridge', label: 'Ridge' },
          { value: 'valley', label: 'Valley', preview: 'green' },
        ],
      },
    ]),
    response: type({ gear: 'string[]', route: "'ridge' | 'valley'" }),
    next: 'walk',
  })
  .step('walk', {
    prompt: [view('map', '~~~'), act.plan({ summary: 'Walk.', steps: ['Out', 'Back'] })],
    response: type({ approved: 'boolean', 'changes?': 'string' }),
    next: 'why',
  })
  .step('why', {
    prompt: act.askUser({ type: 'open', question: 'Why?' }),
    response: type({ reason: 'string > 2' }),
    next: 'work',
  })
  .step('work', {
    prompt: ({ store }) => [
      act.confirm({ message: 'Ready?' }),
      JSON.stringify(store.steps.history.map(({ response }) => response)),
    ],
    response: type({ ready: 'boolean' }),
    next: terminal,
  })
  .build();

/** Skills to serve, by name. */
export const SKILLS: Readonly<Record<string, Buildable>> = { tea, desk, knots, slow, crew };
