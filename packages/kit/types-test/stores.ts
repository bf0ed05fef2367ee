// Sub-stores: optional until a certain step has written, and what may be written.
import { skill, terminal, type } from '../src/index.ts';
import { exactly } from './exactly.ts';

const A = type({ v: 'string' });
const begin = () =>
  skill({
    name: 's',
    entry: 'a',
    stores: {
      env: type({ host: 'string', deep: { port: 'number', names: 'string[]' } }),
      count: type({ n: 'number' }),
    },
  });

begin()
  .step('a', {
    prompt: ({ store }) => [
      exactly<string | undefined>()(store.env?.host),
      exactly<number | undefined>()(store.env?.deep?.port),
      exactly<string[] | undefined>()(store.env?.deep?.names),
      exactly<number | undefined>()(store.count?.n),
    ],
    response: A,
    save: ({ response }) => ({ env: { host: response.v } }),
    next: 'b',
  })
  .step('b', {
    prompt: ({ store }) => [
      exactly<string>()(store.env.host),
      exactly<number | undefined>()(store.env.deep?.port),
      exactly<number | undefined>()(store.count?.n),
    ],
    response: A,
    save: () => ({ step: 1, env: { deep: { port: 1 } }, count: { n: 2 } }),
    next: 'c',
  })
  .step('c', {
    prompt: ({ store }) => [
      exactly<string>()(store.env.host),
      exactly<number>()(store.env.deep.port),
      exactly<string[] | undefined>()(store.env.deep.names),
      exactly<number>()(store.count.n),
      exactly<number>()(store.steps.b),
    ],
    response: A,
    next: ({ store }) => `${exactly<string | undefined>()(store.env?.host)}`,
  })
  // @ts-expect-error a store is read only
  .step('d', { prompt: ({ store }) => (store.env.host = 'x'), next: terminal });

begin().step('a', {
  // @ts-expect-error nobody has written yet
  prompt: ({ store }) => store.env.host,
  next: terminal,
});
begin()
  .step('a', { prompt: 'p', response: A, save: () => ({ env: { host: 'x' } }), next: 'b' })
  // @ts-expect-error that part is not written
  .step('b', { prompt: ({ store }) => String(store.env.deep.port), next: 'c' })
  // @ts-expect-error no such store
  .step('c', { prompt: ({ store }) => String(store.other), next: 'd' })
  // @ts-expect-error not certain in `next`
  .step('d', { prompt: 'p', next: ({ store }) => store.env.host });

// What only one way has written is not certain.
begin()
  .step('a', { prompt: 'p', response: A, next: ({ response }) => (response.v ? 'l' : 'r') })
  .step('l', { prompt: 'p', response: A, save: () => ({ env: { host: 'x' } }), next: 'end' })
  .step('r', { prompt: 'p', response: A, next: 'end' })
  .step('end', { prompt: ({ store }) => exactly<string | undefined>()(store.env?.host), next: 'e2' })
  // @ts-expect-error only the left way has written it
  .step('e2', { prompt: ({ store }) => store.env.host, next: terminal });

// Nor is what `save` writes only sometimes.
begin()
  .step('a', {
    prompt: 'p',
    response: A,
    save: ({ response }) => (response.v ? { env: { host: 'x' } } : {}),
    next: 'b',
  })
  .step('b', { prompt: ({ store }) => exactly<string | undefined>()(store.env?.host), next: 'c' })
  // @ts-expect-error only sometimes
  .step('c', { prompt: ({ store }) => store.env.host, next: terminal });

// What may be written.
// @ts-expect-error the host is a string
begin().step('a', { prompt: 'p', response: A, save: () => ({ env: { host: 1 } }), next: terminal });
begin().step('a', {
  prompt: 'p',
  response: A,
  // @ts-expect-error the port is a number
  save: () => ({ env: { deep: { port: 'x' } } }),
  next: terminal,
});
// @ts-expect-error no such store
begin().step('a', { prompt: 'p', response: A, save: () => ({ nope: 1 }), next: terminal });
// @ts-expect-error no such store, beside one that is
begin().step('a', { prompt: 'p', response: A, save: () => ({ step: 1, nope: 1 }), next: terminal });
skill({ name: 's', entry: 'a' }).step('a', {
  prompt: 'p',
  response: A,
  // @ts-expect-error a skill without stores has none to write to
  save: () => ({ env: {} }),
  next: terminal,
});
// @ts-expect-error stores are schemas
skill({ name: 's', entry: 'a', stores: { env: { host: 'string' } } });
