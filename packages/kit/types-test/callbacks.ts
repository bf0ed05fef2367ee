// What the callbacks of a step get: params, responses of three vendors, results of actions, what is saved.
import * as v from 'valibot';
import * as z from 'zod';
import { action, skill, step, terminal, type } from '../src/index.ts';
import type {
  Act,
  DeepPartial,
  Handshake,
  InferActionResult,
  References,
  SkillDefinition,
  StepRecord,
  SystemTag,
} from '../src/index.ts';
import { exactly } from './exactly.ts';

const Text = type({ v: 'string' });

// Params are what the schema gives, with its defaults.
skill({ name: 's', entry: 'a', params: type({ p: 'number = 3', 'q?': 'string', k: "'x' | 'y'" }) })
  .step('a', {
    prompt: ({ params }) => [
      exactly<number>()(params.p),
      exactly<string | undefined>()(params.q),
      exactly<'x' | 'y'>()(params.k),
    ],
    response: Text,
    action: async ({ params }) => ({ twice: Number(exactly<number>()(params.p)) }),
    save: ({ params }) => ({ step: { p: params.p } }),
    next: ({ params }) => exactly<number>()(params.p),
  })
  .step('b', {
    // @ts-expect-error no such param
    prompt: ({ params }) => params.unknown,
    next: terminal,
  });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: ({ params }) => exactly<unknown>()(params.any),
  next: terminal,
});
skill({ name: 's', entry: 'a', params: z.object({ n: z.coerce.number(), d: z.string().default('x') }) }).step(
  'a',
  {
    prompt: ({ params }) => [exactly<number>()(params.n), exactly<string>()(params.d)],
    next: terminal,
  },
);
skill({ name: 's', entry: 'a', params: v.object({ n: v.number(), o: v.optional(v.string()) }) }).step('a', {
  prompt: ({ params }) => [exactly<number>()(params.n), exactly<string | undefined>()(params.o)],
  next: terminal,
});

// The rest of what a prompt gets.
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: ({ attempts, host, refs, act, system, store }) => [
    exactly<number>()(attempts),
    exactly<Handshake>()(host),
    exactly<References>()(refs),
    exactly<Act>()(act),
    exactly<SystemTag>()(system),
    exactly<readonly StepRecord[]>()(store.steps.history),
    act.confirm({ message: 'Sure?' }),
    system`Be kind.`,
  ],
  next: terminal,
});
skill({ name: 's', entry: 'a' }).step('a', {
  // @ts-expect-error a prompt is text or pieces
  prompt: () => 5,
  next: terminal,
});
skill({ name: 's', entry: 'a' }).step('a', {
  // @ts-expect-error a prompt has no response yet
  prompt: ({ response }) => String(response),
  next: terminal,
});
// @ts-expect-error the primitive wants its message
skill({ name: 's', entry: 'a' }).step('a', { prompt: ({ act }) => act.confirm({}), next: terminal });

// Responses: three vendors, transformations, defaults.
skill({ name: 's', entry: 'a' })
  .step('a', {
    prompt: 'p',
    response: type({
      s: 'string',
      'n?': 'number',
      at: 'string.date.parse',
      list: 'string[]',
      d: 'number = 1',
    }),
    next: ({ response }) =>
      [
        exactly<string>()(response.s),
        exactly<number | undefined>()(response.n),
        exactly<Date>()(response.at),
        exactly<string[]>()(response.list),
        exactly<number>()(response.d),
      ].join(''),
  })
  .step('b', {
    prompt: ({ store }) => exactly<Date>()(store.steps.a.at),
    response: z.object({ n: z.string().transform(Number), u: z.union([z.literal(1), z.literal(2)]) }),
    next: ({ response }) => `${exactly<number>()(response.n)}${exactly<1 | 2>()(response.u)}`,
  })
  .step('c', {
    prompt: ({ store }) => exactly<1 | 2>()(store.steps.b.u),
    response: v.object({ x: v.picklist(['l', 'r']), y: v.optional(v.boolean(), true) }),
    next: ({ response }) => `${exactly<'l' | 'r'>()(response.x)}${exactly<boolean>()(response.y)}`,
  })
  .step('d', {
    prompt: ({ store }) => [exactly<'l' | 'r'>()(store.steps.c.x), exactly<number>()(store.steps.b.n)],
    response: type('string[]'),
    next: ({ response }) => exactly<string[]>()(response),
  })
  .step('e', { prompt: ({ store }) => exactly<string[]>()(store.steps.d), next: terminal });
// @ts-expect-error a response is a schema
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', response: { v: 'string' }, next: terminal });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  response: Text,
  // @ts-expect-error no such field
  next: ({ response }) => response.w,
});
// @ts-expect-error a step that asks for nothing has no fields in its response
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: ({ response }) => response.v });
// @ts-expect-error params are a schema
skill({ name: 's', entry: 'a', params: { p: 'string' } });

// Actions.
const weigh = action({
  name: 'weigh',
  input: type({ grams: 'number' }),
  output: type({ ounces: 'number' }),
  effect: 'idempotent',
  timeoutMs: 100,
  run: ({ input, signal }) => {
    exactly<number>()(input.grams);
    exactly<AbortSignal>()(signal);
    return { ounces: 1 };
  },
});
exactly<{ ounces: number }>()({} as InferActionResult<typeof weigh>);
exactly<'once' | 'idempotent' | 'read'>()(weigh.effect);
const read = action({
  name: 'r',
  input: z.object({ a: z.string() }),
  output: z.object({ b: z.number() }),
  run: async () => ({ b: 1 }),
});
exactly<{ b: number }>()({} as InferActionResult<typeof read>);
// @ts-expect-error the output has no ounces
action({ name: 'bad', input: Text, output: type({ ounces: 'number' }), run: () => ({ pounds: 1 }) });
// @ts-expect-error the input has no such field
action({ name: 'bad', input: Text, output: Text, run: ({ input }) => ({ v: input.w }) });
// @ts-expect-error an action has an output
action({ name: 'bad', input: Text, run: () => ({}) });
// @ts-expect-error effects are three
action({ name: 'bad', input: Text, output: Text, effect: 'twice', run: () => ({ v: '' }) });

skill({ name: 's', entry: 'a' })
  .step('a', {
    prompt: 'p',
    response: type({ grams: 'number', why: 'string' }),
    action: {
      run: weigh,
      mapInput: ({ response }) => ({ grams: Number(exactly<number>()(response.grams)) }),
    },
    next: ({ actionResult, response }) =>
      `${exactly<number>()(actionResult.ounces)}${exactly<string>()(response.why)}`,
  })
  .step('b', {
    prompt: ({ store }) => exactly<{ ounces: number }>()(store.steps.a),
    response: Text,
    action: async ({ response, signal }) => ({ len: response.v.length, aborted: signal.aborted }),
    save: ({ actionResult }) => ({ step: { len: actionResult.len, ok: !actionResult.aborted } }),
    next: ({ actionResult }) => exactly<boolean>()(actionResult.aborted),
  })
  .step('c', {
    prompt: ({ store }) => [exactly<number>()(store.steps.b.len), exactly<boolean>()(store.steps.b.ok)],
    response: Text,
    action: ({ response }) => response.v.length,
    next: ({ actionResult }) => exactly<number>()(actionResult),
  })
  .step('d', { prompt: ({ store }) => exactly<number>()(store.steps.c), next: terminal });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  response: Text,
  next: ({ actionResult }) => exactly<undefined>()(actionResult),
});
// @ts-expect-error an action is made by action(), or a function
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', action: { run: () => ({}) }, next: terminal });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  response: Text,
  // @ts-expect-error the response has no such field
  action: ({ response }) => response.w,
  next: terminal,
});
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  response: Text,
  // @ts-expect-error nothing is mapped from what is not there
  action: { run: weigh, mapInput: ({ response }) => ({ grams: response.grams }) },
  next: terminal,
});

// What is saved is what later steps see; what saves nothing leaves the rest.
skill({ name: 's', entry: 'a' })
  .step('a', {
    prompt: 'p',
    response: Text,
    save: ({ response }) => ({ step: response.v.length }),
    next: 'b',
  })
  .step('b', {
    prompt: ({ store }) => exactly<number>()(store.steps.a),
    response: Text,
    save: () => undefined,
    next: 'c',
  })
  .step('c', {
    prompt: ({ store }) => exactly<string>()(store.steps.b.v),
    response: Text,
    save: () => ({}),
    next: 'd',
  })
  .step('d', {
    prompt: ({ store }) => exactly<string>()(store.steps.c.v),
    save: () => ({ step: null }),
    next: 'e',
  })
  .step('e', { prompt: ({ store }) => exactly<null>()(store.steps.d), next: terminal });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  response: Text,
  save: ({ actionResult, response }) => ({
    step: [exactly<undefined>()(actionResult), exactly<string>()(response.v)],
  }),
  next: terminal,
});

// A finished skill, and where wrong things are refused.
exactly<SkillDefinition>()(
  skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: terminal }).build(),
);
exactly<{ a?: { b?: number }; c?: string[] }>()({} as DeepPartial<{ a: { b: number }; c: string[] }>);
// @ts-expect-error a skill has a name
skill({ entry: 'a' });
// @ts-expect-error a skill has an entry
skill({ name: 's' });
// @ts-expect-error a step says where it goes on
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p' });
// @ts-expect-error no such setting of a step
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', nextt: 'b', next: terminal });
// @ts-expect-error a step goes on at a step
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: 5 });
// @ts-expect-error a branch says where
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: [{ when: () => true }] });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  next: 'self',
  maxVisits: 2,
  // @ts-expect-error it is left for a step
  onMaxVisits: terminal,
});
// @ts-expect-error a step goes on at a step, however it is found
skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: () => 5 });
// @ts-expect-error an answer is asked for by a prompt
step({ response: Text, next: terminal });
