import { readFileSync } from 'node:fs';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { ObserverMap } from '../../src/definition/skill-definition.ts';
import { openRun } from '../../src/workflow/run.ts';
import { END, skillOf } from './skill-of.ts';

interface Event {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const recorded = JSON.parse(
  readFileSync(new URL('../../../../conformance/kit/observers.json', import.meta.url), 'utf8'),
) as { readonly events: readonly (Event & { readonly frozen: boolean })[] };

const NAMES = [
  'onStepStart',
  'onStepComplete',
  'onStepValidationFailed',
  'onTransition',
  'onSkillComplete',
] as const;

/** Writes every event down, as it came. */
function recorder(events: Event[]): ObserverMap {
  return Object.fromEntries(
    NAMES.map((event) => [
      event,
      (payload: Event['payload']) => {
        events.push({ event, payload });
      },
    ]),
  );
}

const steps = {
  a: { prompt: 'A', response: type({ n: 'number' }), action: () => ({ act: 1 }), next: 'gate' },
  gate: { next: 'b' },
  b: { prompt: 'B', response: type({ m: 'string' }), next: END },
};

describe('observers', () => {
  it('hear of a run in the order that is recorded', async () => {
    const events: Event[] = [];
    const run = openRun(skillOf({ observers: recorder(events), steps }), { params: { k: 1 } });
    await run.start();
    await run.advance('a', { n: 'bad' });
    await run.advance('a', { n: 2 });
    await run.advance('b', { m: 'x' });
    const ms = expect.any(Number) as number;
    expect(events).toEqual(
      recorded.events.map(({ event, payload }) => ({
        event,
        payload: 'durationMs' in payload ? { ...payload, durationMs: ms } : payload,
      })),
    );
    expect(events.every(({ payload }) => !Object.isFrozen(payload))).toBe(true);
  });

  it('hear of a redirect, and not of the end of the skill', async () => {
    const events: Event[] = [];
    const definition = skillOf({
      observers: recorder(events),
      topics: { x: { label: 'X', content: () => 'x' } },
      steps: { a: { prompt: 'A', next: 'topic:x' } },
    });
    const run = openRun(definition, { stopAtRedirects: true });
    await run.start();
    const result = await run.advance('a', {});
    expect(Object.keys(result)).toEqual(['kind', 'redirect', 'completed', 'store']);
    expect(events.map(({ event }) => event)).toEqual(['onStepStart', 'onStepComplete', 'onTransition']);
    expect(events.at(-1)?.payload).toEqual({ from: 'a', to: 'topic:x', reason: 'redirect' });
  });

  it('hear nothing of a call that failed', async () => {
    const events: Event[] = [];
    const definition = skillOf({
      observers: recorder(events),
      steps: {
        ...steps,
        gate: {
          next: () => {
            throw new Error('no way');
          },
        },
      },
    });
    const run = openRun(definition);
    await run.start();
    await expect(run.advance('a', { n: 1 })).rejects.toThrow('no way');
    await run.flush();
    expect(events.map(({ event }) => event)).toEqual(['onStepStart']);
  });

  it('cannot fail or change a run: their errors are warnings, their events are copies', async () => {
    const warnings: string[] = [];
    const definition = skillOf({
      observers: {
        onStepStart: () => {
          throw new Error('no telemetry');
        },
        onStepComplete: ({ response }) => {
          Object.assign(response as object, { n: 99 });
        },
      },
      steps,
    });
    const run = openRun(definition, {
      params: { uncloneable: () => 1 },
      warn: (line) => warnings.push(line),
    });
    await run.start();
    await run.advance('a', { n: 1 });
    await run.flush();
    expect(run.history[0]?.response).toEqual({ n: 1 });
    expect(warnings).toContain('observer onStepStart error: no telemetry');
  });

  it('are not called when they are switched off, and are waited for at the end', async () => {
    const events: Event[] = [];
    const off = openRun(skillOf({ observers: recorder(events), steps }), { observers: false });
    await off.start();
    await off.flush();
    expect(events).toEqual([]);
    let finish: (() => void) | undefined;
    let isDone = false;
    const slow = openRun(
      skillOf({
        observers: {
          onSkillComplete: async () => {
            await new Promise<void>((resolve) => {
              finish = resolve;
            });
            isDone = true;
          },
        },
        steps: { a: { prompt: 'A', next: END } },
      }),
    );
    const ending = slow.advance('a', {});
    await expect.poll(() => finish).toBeDefined();
    finish?.();
    await ending;
    expect(isDone).toBe(true);
  });
});
