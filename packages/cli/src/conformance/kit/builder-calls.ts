import { action, module, reference, type SkillDefinition, skill, step, terminal, type } from '@skillyard/kit';
import { mockModel, runSkill } from '@skillyard/kit/test';

const schema = type({ v: 'string' });
const one = { prompt: 'p', next: terminal } as const;
const none = (): Record<string, never> => ({});

/** What a caller without types can do: fields that must be there are left out. */
const loosely = (value: unknown): never => value as never;

function withTriggers(config: { description?: string; triggers: string[] }): unknown {
  const { description } = skill({ name: 's', entry: 'a', ...config })
    .step('a', one)
    .build();
  return { description };
}

/** What is left open until a skill is started. */
async function start(definition: SkillDefinition): Promise<Record<string, never>> {
  await runSkill(definition, { model: mockModel({ a: {} }) });
  return {};
}

const inner = (): SkillDefinition => skill({ name: 'inner', entry: 'i' }).step('i', one).build();
const acting = (input: unknown): Record<string, never> => {
  const act1 = action({ name: 'act1', input: loosely(input), output: schema, run: () => ({ v: '' }) });
  skill({ name: 's', entry: 'a' }).step(
    'a',
    loosely({ prompt: 'p', response: schema, action: { run: act1 }, next: terminal }),
  );
  return {};
};

/** Calls of builders, by what a recording calls them, and what of their outcome it tells. */
export const BUILDER_CALLS: Readonly<Record<string, () => unknown>> = {
  'no name': () =>
    skill(loosely({ entry: 'a' }))
      .step('a', one)
      .build(),
  'no entry': () =>
    skill(loosely({ name: 's' }))
      .step('a', one)
      .build(),
  'no steps': () => skill({ name: 's', entry: 'a' }).build(),
  'entry missing': () => skill({ name: 's', entry: 'z' }).step('a', one).build(),
  'step without next': () => step(loosely({ prompt: 'p' })),
  'builder step without next': () => skill({ name: 's', entry: 'a' }).step('a', loosely({ prompt: 'p' })),
  'empty name': () => skill({ name: '', entry: 'a' }).step('a', one).build(),
  'store named steps': () =>
    skill({ name: 's', entry: 'a', stores: { steps: schema } })
      .step('a', one)
      .build(),
  'store named step': () =>
    skill({ name: 's', entry: 'a', stores: { step: schema } })
      .step('a', one)
      .build(),
  'duplicate step name (last wins)': () => {
    const built = skill({ name: 's', entry: 'a' })
      .step('a', { prompt: 'first', next: terminal })
      .step('a', { prompt: 'second', next: terminal })
      .build();
    return { prompt: built.steps['a']?.prompt };
  },
  'unknown static next builds fine': () => {
    skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: 'ghost' }).build();
    return {};
  },
  '__parent__ left over builds fine, start throws': () =>
    start(skill({ name: 's', entry: 'a' }).step('a', { prompt: 'p', next: '__parent__' }).build()),
  'nested subskill': () => {
    const mid = skill({ name: 'mid', entry: 'a' }).step('a', one).subskill('inner', inner()).build();
    return skill({ name: 's', entry: 'a' }).step('a', one).subskill('mid', mid).build();
  },
  'action input incompatible with response': () => acting(type({ w: 'string' })),
  'action input compatible': () => acting(schema),
  'action: no name': () => action(loosely({ input: schema, output: schema, run: none })),
  'action: no run': () => action(loosely({ name: 'x', input: schema, output: schema })),
  'action: no input': () => action(loosely({ name: 'x', output: schema, run: none })),
  'action: no output': () => action(loosely({ name: 'x', input: schema, run: none })),
  'module: no entry': () =>
    module(loosely({ name: 'm' }))
      .step('a', one)
      .build(),
  'module: no steps': () => module({ name: 'm', entry: 'a' }).build(),
  'module definition keys': () => {
    const built = module({ name: 'm', entry: 'a' }).step('a', one).build();
    return { keys: Object.keys(built), frozen: Object.isFrozen(built) };
  },
  'module: entry missing': () => module({ name: 'm', entry: 'q' }).step('a', one).build(),
  'module: no name': () =>
    module(loosely({ entry: 'a' }))
      .step('a', one)
      .build(),
  'reference: no name': () =>
    reference(loosely({ description: 'd' }))
      .topic('t', { label: 'T', content: () => '' })
      .build(),
  'reference: no topics': () => reference({ name: 'r', description: 'd' }).build(),
  'reference: no description': () =>
    reference(loosely({ name: 'r' }))
      .topic('t', { label: 'T', content: () => '' })
      .build(),
  'triggers, description without period': () =>
    withTriggers({ description: 'Does it', triggers: ['x', 'y'] }),
  'triggers, description with period': () => withTriggers({ description: 'Does it.', triggers: ['x'] }),
  'triggers empty': () => withTriggers({ description: 'Does it', triggers: [] }),
  'triggers only': () => withTriggers({ triggers: ['x'] }),
  'default version': () => {
    const { version } = skill({ name: 's', entry: 'a' }).step('a', one).build();
    return { version };
  },
  'definition keys': () => {
    const built = skill({ name: 's', entry: 'a' }).step('a', one).build();
    return { keys: Object.keys(built), frozen: Object.isFrozen(built) };
  },
  'definition keys with subskills and topics': () => {
    const built = skill({ name: 's', entry: 'a', stores: { kept: schema } })
      .step('a', one)
      .topic('t', { label: 'T', content: () => '' })
      .subskill('inner', inner())
      .build();
    return { keys: Object.keys(built), frozen: Object.isFrozen(built) };
  },
  'reference definition keys': () => {
    const built = reference({ name: 'r', description: 'd' })
      .topic('t', { label: 'T', content: () => '' })
      .build();
    return { keys: Object.keys(built) };
  },
};
