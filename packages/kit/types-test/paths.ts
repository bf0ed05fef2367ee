// Which steps are certain: chains, branches, loops, ways out, where branches meet.
import { skill, terminal, type } from '../src/index.ts';
import { exactly } from './exactly.ts';

const A = type({ v: 'string' });
const ask = { prompt: 'p', response: A } as const;
const begin = () => skill({ name: 's', entry: 'root' });

// A chain.
begin()
  .step('root', { ...ask, next: 'b' })
  .step('b', { ...ask, prompt: ({ store }) => exactly<string>()(store.steps.root.v), next: 'c' })
  .step('c', { ...ask, prompt: ({ store }) => exactly<string>()(store.steps.b.v), next: terminal });
begin()
  .step('root', { ...ask, next: 'b' })
  // @ts-expect-error declared later
  .step('b', { prompt: ({ store }) => store.steps.c.v, next: 'c' })
  // @ts-expect-error its own result is not there yet
  .step('c', { prompt: ({ store }) => store.steps.c.v, next: terminal });

// Elsewhere than in prompts and `save`, nothing is certain.
begin()
  .step('root', { ...ask, next: 'b' })
  .step('b', {
    ...ask,
    action: ({ store }) => exactly<string | undefined>()(store.steps.root?.v),
    save: ({ store }) => ({ step: exactly<string>()(store.steps.root.v) }),
    next: ({ store }) => exactly<string | undefined>()(store.steps.root?.v),
  })
  .step('c', {
    ...ask,
    // @ts-expect-error not certain in `when`
    next: [{ to: 'd', when: ({ store }) => store.steps.root.v }, { to: 'e' }],
  });
begin()
  .step('root', { ...ask, next: 'b' })
  // @ts-expect-error not certain in `next`
  .step('b', { ...ask, next: ({ store }) => store.steps.root.v });
begin()
  .step('root', { ...ask, next: 'b' })
  // @ts-expect-error not certain in an action
  .step('b', { ...ask, action: ({ store }) => store.steps.root.v, next: terminal });

// Questions about steps take names that are known.
begin()
  .step('root', { ...ask, next: 'b' })
  .step('b', {
    prompt: ({ store }) => [
      exactly<readonly { v: string }[]>()(store.steps.all('root')),
      exactly<boolean>()(store.steps.ran('root')),
    ],
    next: 'c',
  })
  // @ts-expect-error no such step
  .step('c', { prompt: ({ store }) => String(store.steps.ran('nowhere')), next: 'd' })
  // @ts-expect-error no such step
  .step('d', { prompt: ({ store }) => String(store.steps.all('nowhere')), next: 'e' })
  // @ts-expect-error its own name is not known yet
  .step('e', { prompt: ({ store }) => String(store.steps.ran('e')), next: terminal });

// Two ways forward: both targets are optional, the step before is not.
begin()
  .step('root', {
    ...ask,
    next: [{ to: 'l', when: ({ response }) => exactly<string>()(response.v) }, { to: 'r' }],
  })
  .step('l', { ...ask, next: 'end' })
  .step('r', { ...ask, prompt: ({ store }) => exactly<string | undefined>()(store.steps.l?.v), next: 'end' })
  .step('end', {
    ...ask,
    prompt: ({ store }) => [
      exactly<string>()(store.steps.root.v),
      exactly<string | undefined>()(store.steps.l?.v),
      exactly<string | undefined>()(store.steps.r?.v),
      exactly<readonly { v: string }[]>()(store.steps.all('l')),
    ],
    next: 'after',
  })
  // @ts-expect-error the left way may not have been taken
  .step('after', { prompt: ({ store }) => store.steps.l.v, next: 'last' })
  .step('last', { prompt: ({ store }) => exactly<string>()(store.steps.end.v), next: terminal });

// The same by a function, and by three ways.
begin()
  .step('root', { ...ask, next: ({ response }) => (response.v ? 'l' : 'r') })
  .step('l', { ...ask, next: 'end' })
  .step('r', { ...ask, next: 'end' })
  // @ts-expect-error the right way may not have been taken
  .step('end', { prompt: ({ store }) => store.steps.r.v, next: terminal });
begin()
  .step('root', {
    ...ask,
    next: ({ response }) => {
      if (response.v === 'a') return 'x';
      return response.v === 'b' ? 'y' : 'z';
    },
  })
  .step('x', { ...ask, next: 'end' })
  .step('y', { ...ask, next: 'end' })
  .step('z', { ...ask, next: 'end' })
  .step('end', { prompt: ({ store }) => exactly<string | undefined>()(store.steps.y?.v), next: 'e2' })
  // @ts-expect-error one of three ways
  .step('e2', { prompt: ({ store }) => store.steps.x.v, next: 'e3' })
  // @ts-expect-error one of three ways
  .step('e3', { prompt: ({ store }) => store.steps.z.v, next: terminal });

// Loops and ways out leave one way forward.
begin()
  .step('root', { ...ask, next: 'b' })
  .step('b', { ...ask, next: [{ to: 'root', when: () => false }, { to: 'c' }] })
  .step('c', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.b.v),
    next: ({ response }) => (response.v ? 'self' : 'd'),
  })
  .step('d', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.c.v),
    next: ({ response }) => (response.v ? 'd' : 'e'),
  })
  .step('e', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.d.v),
    next: ({ response }) => (response.v ? 'subskill:x' : 'f'),
  })
  .step('f', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.e.v),
    next: ({ response }) => (response.v ? 'topic:x' : 'g'),
  })
  .step('g', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.f.v),
    next: ({ response }) => (response.v ? terminal : 'h'),
  })
  .step('h', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.g.v),
    next: ({ response }) => (response.v ? `subskill:${response.v}` : 'i'),
  })
  .step('i', {
    ...ask,
    prompt: ({ store }) => exactly<string>()(store.steps.h.v),
    next: ({ response }) => response.v,
  })
  .step('j', { ...ask, prompt: ({ store }) => exactly<string>()(store.steps.i.v), next: [{ to: 'k' }] })
  .step('k', { ...ask, prompt: ({ store }) => exactly<string>()(store.steps.j.v), next: 'l' })
  .step('l', { prompt: ({ store }) => exactly<string>()(store.steps.k.v), next: terminal });

// Where the others meet is certain again.
begin()
  .step('root', { ...ask, next: [{ to: 'x', when: () => true }, { to: 'merge' }] })
  .step('x', { ...ask, next: 'merge' })
  .step('merge', {
    ...ask,
    prompt: ({ store }) => exactly<string | undefined>()(store.steps.x?.v),
    next: 'end',
  })
  .step('end', { prompt: ({ store }) => exactly<string>()(store.steps.merge.v), next: terminal });
begin()
  .step('root', {
    ...ask,
    next: [{ to: 'x', when: () => true }, { to: 'y', when: () => true }, { to: 'merge' }],
  })
  .step('x', { ...ask, next: 'merge' })
  .step('y', { ...ask, next: 'merge' })
  .step('merge', { ...ask, next: 'end' })
  .step('end', { prompt: ({ store }) => exactly<string>()(store.steps.merge.v), next: 'more' })
  // @ts-expect-error the ways that meet stay optional themselves
  .step('more', { prompt: ({ store }) => store.steps.y.v, next: terminal });
begin()
  .step('root', {
    ...ask,
    next: [{ to: 'x', when: () => true }, { to: 'y', when: () => true }, { to: 'merge' }],
  })
  .step('x', { ...ask, next: 'merge' })
  .step('y', { ...ask, next: terminal })
  .step('merge', { ...ask, next: 'end' })
  // @ts-expect-error one of the others does not lead there
  .step('end', { prompt: ({ store }) => store.steps.merge.v, next: terminal });

// A certain step that leads to a target of a branch makes it certain, in either order.
begin()
  .step('root', { ...ask, next: ({ response }) => (response.v ? 'x' : 'late') })
  .step('x', { ...ask, next: 'y' })
  .step('y', { ...ask, next: 'late' })
  .step('late', { ...ask, next: 'end' })
  .step('end', { prompt: ({ store }) => exactly<string>()(store.steps.late.v), next: terminal });

// A certain step on the way that branches again.
begin()
  .step('root', { ...ask, next: [{ to: 'mid', when: () => true }, { to: 'merge' }] })
  .step('mid', { ...ask, next: 'second' })
  .step('second', { ...ask, next: [{ to: 'y', when: () => true }, { to: 'merge' }] })
  .step('y', { ...ask, next: 'merge' })
  .step('merge', { ...ask, prompt: ({ store }) => exactly<string>()(store.steps.second.v), next: 'end' })
  .step('end', { prompt: ({ store }) => exactly<string>()(store.steps.merge.v), next: terminal });

// A branch of a step that is optional itself says nothing about what is certain.
begin()
  .step('root', { ...ask, next: ({ response }) => (response.v ? 'a' : 'b') })
  .step('a', { ...ask, next: ({ response }) => (response.v ? 'c' : 'd') })
  .step('b', { ...ask, next: 'end' })
  .step('c', { ...ask, next: 'd' })
  .step('d', { ...ask, next: 'end' })
  // @ts-expect-error the way by `b` does not pass it
  .step('end', { prompt: ({ store }) => store.steps.d.v, next: 'e2' })
  // @ts-expect-error and not by `b`, nor always by `a`
  .step('e2', { prompt: ({ store }) => store.steps.c.v, next: terminal });

// Two branches, one after the other.
begin()
  .step('root', { ...ask, next: ({ response }) => (response.v ? 'l1' : 'r1') })
  .step('l1', { ...ask, next: 'mid' })
  .step('r1', { ...ask, next: 'mid' })
  .step('mid', { ...ask, next: ({ response }) => (response.v ? 'l2' : 'r2') })
  .step('l2', { ...ask, next: 'end' })
  .step('r2', { ...ask, next: 'end' })
  .step('end', {
    prompt: ({ store }) => [
      exactly<string>()(store.steps.mid.v),
      exactly<string | undefined>()(store.steps.l1?.v),
      exactly<string | undefined>()(store.steps.r2?.v),
    ],
    next: 'e2',
  })
  // @ts-expect-error optional
  .step('e2', { prompt: ({ store }) => store.steps.l1.v, next: 'e3' })
  // @ts-expect-error optional
  .step('e3', { prompt: ({ store }) => store.steps.r2.v, next: terminal });

// A step that is declared again has its new result.
begin()
  .step('root', { ...ask, next: 'b' })
  .step('root', { prompt: 'p', response: type({ n: 'number' }), next: 'b' })
  .step('b', { prompt: ({ store }) => exactly<number>()(store.steps.root.n), next: 'c' })
  // @ts-expect-error of the step that was replaced
  .step('c', { prompt: ({ store }) => store.steps.root.v, next: terminal });
