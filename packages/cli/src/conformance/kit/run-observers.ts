import { type ObserverMap, skill, type SkillDefinition, terminal, type } from '@skillyard/kit';
import { openRun } from '@skillyard/kit/test';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder } from './kit-folder.ts';

interface Seen {
  readonly event: string;
  readonly payload: unknown;
  readonly frozen: boolean;
}

const EVENTS = [
  'onStepStart',
  'onStepComplete',
  'onStepValidationFailed',
  'onTransition',
  'onSkillComplete',
] as const;

/** What observers hear of a step with an action, a gate and a last step, with one wrong answer at first. */
export async function runObservers(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const { events, note = '' } = recording as { events: readonly unknown[]; note?: string };
  const { seen, observers } = watch();
  const watched = skill({ name: 'watched', entry: 'a', params: type({ k: 'number' }), observers })
    .step('a', { prompt: 'p', response: type({ n: 'number' }), action: () => ({ done: 1 }), next: 'gate' })
    .step('gate', { next: 'b' })
    .step('b', { prompt: 'p', response: type({ m: 'string' }), next: terminal })
    .build();
  const run = openRun(watched, { params: { k: 1 } });
  await run.start();
  for (const [step, answer] of [
    ['a', { n: 'bad' }],
    ['a', { n: 2 }],
    ['b', { m: 'x' }],
  ] as const) {
    await run.advance(step, answer);
    await run.flush();
  }
  const entry = { name, entry: 'events', title: note, tags: folder.tags.of(name) };
  return [judge(entry, { recorded: events, actual: seen })];
}

/** What observers hear of a step that leaves for a topic. */
export async function runObserversRedirect(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const { seen, observers } = watch();
  const leaving: SkillDefinition = skill({ name: 'leaving', entry: 'a', observers })
    .step('a', { prompt: 'p', next: 'topic:x' })
    .topic('x', { label: 'X', content: () => 'x' })
    .build();
  const run = openRun(leaving, { stopAtRedirects: true });
  await run.start();
  const result = await run.advance('a', {});
  await run.flush();
  const transitions = seen.filter(({ event }) => event === 'onTransition').map(({ payload }) => payload);
  const actual = { result_kind: result.kind, result_keys: Object.keys(result), events: transitions };
  const entry = {
    name,
    entry: 'redirect',
    title: 'a step that leaves for a topic',
    tags: folder.tags.of(name),
  };
  return [judge(entry, { recorded: recording, actual })];
}

function watch(): { readonly seen: Seen[]; readonly observers: ObserverMap } {
  const seen: Seen[] = [];
  const observers = Object.fromEntries(
    EVENTS.map((event) => [
      event,
      (payload: unknown) => seen.push({ event, payload, frozen: Object.isFrozen(payload) }),
    ]),
  );
  return { seen, observers };
}
