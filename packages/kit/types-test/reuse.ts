// Steps, modules, sub-skills, topics and references.
import { module, reference, skill, step, terminal, type } from '../src/index.ts';
import type { ReferenceDefinition, StepRecord } from '../src/index.ts';
import { exactly } from './exactly.ts';

const A = type({ v: 'string' });
const shared = step({ prompt: 'p', response: type({ q: 'string' }), next: '__parent__' });
const saving = step({
  prompt: 'p',
  response: A,
  save: ({ response }) => ({ step: response.v.length }),
  next: 'end',
});

// A step alone: its response has a type, params and store have none.
step({
  prompt: ({ params, store }) => `${params.anything.at.all} ${store.steps.whatever.v}`,
  response: A,
  next: ({ response }) => exactly<string>()(response.v),
});
step({ next: terminal });
step({ prompt: 'p', next: terminal });
// @ts-expect-error a step says where it goes on
step({ prompt: 'p', response: A });
// @ts-expect-error an answer is asked for by a prompt
step({ response: A, next: terminal });

skill({ name: 's', entry: 'e', params: type({ p: 'string' }) })
  .extend('e', shared, { prompt: ({ params }) => exactly<string>()(params.p), next: 'f' })
  .extend('f', shared, {
    prompt: ({ store }) => exactly<string>()(store.steps.e.q),
    response: type({ n: 'number' }),
    next: ({ response }) => exactly<number>()(response.n),
  })
  .extend('g', saving)
  .step('h', saving)
  .step('i', shared.extend({ next: 'end' }))
  .step('end', {
    prompt: ({ store }) => [
      exactly<number>()(store.steps.f.n),
      exactly<number>()(store.steps.g),
      exactly<number>()(store.steps.h),
      exactly<string>()(store.steps.i.q),
    ],
    next: terminal,
  });
skill({ name: 's', entry: 'e' }).extend('e', shared, {
  // @ts-expect-error no such field in the response of the base
  next: ({ response }) => response.other,
});
skill({ name: 's', entry: 'e' }).extend('e', shared, {
  // @ts-expect-error nothing is declared yet
  prompt: ({ store }) => store.steps.before.v,
  next: terminal,
});
// @ts-expect-error what is extended is a step
skill({ name: 's', entry: 'e' }).extend('e', { prompt: 'p' }, { next: terminal });

// A module knows its own steps, and nothing of the skill around it.
const group = module({ name: 'm', entry: 'm1' })
  .step('m1', { prompt: 'p', response: type({ z: 'number' }), next: 'm2' })
  .step('m2', { prompt: ({ store }) => exactly<number>()(store.steps.m1.z), response: A, next: '__parent__' })
  .build();
module({ name: 'm', entry: 'm1' }).step('m1', {
  // @ts-expect-error params are those of whatever skill uses it
  prompt: ({ params }) => params.p,
  next: '__parent__',
});
module({ name: 'm', entry: 'm1' }).step('m1', {
  // @ts-expect-error a step of the skill is not known here
  prompt: ({ store }) => store.steps.root.v,
  next: '__parent__',
});
// @ts-expect-error a module has an entry
module({ name: 'm' });

skill({ name: 's', entry: 'root' })
  .step('root', { prompt: 'p', response: A, next: 'm1' })
  .register(group, { next: 'on' })
  .step('on', {
    prompt: ({ store }) => [
      exactly<string>()(store.steps.root.v),
      exactly<number | undefined>()(store.steps.m1?.z),
      exactly<string | undefined>()(store.steps.m2?.v),
      exactly<boolean>()(store.steps.ran('m2')),
    ],
    next: 'then',
  })
  // @ts-expect-error steps of a module are optional
  .step('then', { prompt: ({ store }) => String(store.steps.m1.z), next: terminal });
// @ts-expect-error a module goes on somewhere
skill({ name: 's', entry: 'root' }).register(group, {});
// @ts-expect-error a module is a built one
skill({ name: 's', entry: 'root' }).register(module({ name: 'm', entry: 'm1' }), { next: 'on' });

// Sub-skills and topics change nothing.
const inner = skill({ name: 'inner', entry: 'a' }).step('a', { prompt: 'p', next: terminal }).build();
skill({ name: 's', entry: 'root' })
  .step('root', { prompt: 'p', response: A, next: 'b' })
  .subskill('inner', inner, {
    params: (response, store) => ({
      all: [
        exactly<unknown>()(response),
        exactly<string | undefined>()(store.steps.root?.v),
        exactly<readonly StepRecord[]>()(store.steps.history),
      ],
    }),
  })
  .topic('t', { label: 'T', content: ({ refs }) => refs.load('t.md') })
  .step('b', { prompt: ({ store }) => exactly<string>()(store.steps.root.v), next: terminal });
// @ts-expect-error a sub-skill is a built one
skill({ name: 's', entry: 'root' }).subskill('inner', skill({ name: 'inner', entry: 'a' }));
skill({ name: 's', entry: 'root' })
  .step('root', { prompt: 'p', response: A, next: 'b' })
  // @ts-expect-error nothing is certain there
  .subskill('inner', inner, { params: (_response, store) => store.steps.root.v });
// @ts-expect-error a topic has a label
skill({ name: 's', entry: 'root' }).topic('t', { content: () => 'text' });
// @ts-expect-error what a topic tells is text
skill({ name: 's', entry: 'root' }).topic('t', { label: 'T', content: () => 5 });

exactly<ReferenceDefinition>()(
  reference({ name: 'r', description: 'd', paths: ['**/*.md'], allowedTools: 'Read' })
    .topic('t', { label: 'T', content: () => 'text' })
    .build(),
);
// @ts-expect-error a reference is described
reference({ name: 'r' });
// @ts-expect-error a reference has no steps
reference({ name: 'r', description: 'd' }).step('a', { next: terminal });

// Settings that are only carried along.
skill({
  name: 's',
  entry: 'a',
  hosted: { tools: ['files'], limits: { seconds: 5 } },
  allowedTools: ['Read'],
  userInvocable: true,
});
// @ts-expect-error no such limit
skill({ name: 's', entry: 'a', hosted: { limits: { minutes: 5 } } });
// @ts-expect-error a flag is true or false
skill({ name: 's', entry: 'a', userInvocable: 'yes' });
