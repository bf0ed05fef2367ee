import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type } from 'arktype';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NextValue, SkillDefinition, StepConfig } from '../src/definition/skill-definition.ts';
import { definition } from './cli/definition.ts';
import { session, stateless, type Protocol, type Seen } from './cli/protocols.ts';

const RUNS = 60;
const STEPS = { minLength: 3, maxLength: 9 };
const ANSWERS = { minLength: 10, maxLength: 24 };

/** One step of a skill to be made. Targets are counted from the step itself, and go no further than the last step. */
interface StepPlan {
  readonly isGate: boolean;
  readonly action: 'none' | 'inline' | 'object';
  readonly saves: boolean;
  readonly next: 'forward' | 'branch' | 'loop' | 'back';
  readonly by: number;
}

const stepPlan: fc.Arbitrary<StepPlan> = fc.record({
  isGate: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  action: fc.constantFrom('none', 'inline', 'object'),
  saves: fc.boolean(),
  next: fc.constantFrom('forward', 'branch', 'loop', 'back'),
  by: fc.integer({ min: 1, max: 2 }),
});

const answer = fc.oneof(
  { weight: 6, arbitrary: fc.record({ n: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ n: fc.constant('many') }) },
);

let folder = '';
let actions: string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kit-protocols-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const NUMBER = type({ n: 'number' });

function makeStep(plan: StepPlan, index: number, count: number): StepConfig {
  const name = `s${index}`;
  const at = (target: number): string => `s${Math.max(0, Math.min(count - 1, target))}`;
  const isLast = index === count - 1;
  const forward = at(index + plan.by);
  const nexts: Record<StepPlan['next'], NextValue> = {
    forward,
    branch: [
      { to: forward, when: ({ response }) => ((response as { n?: number }).n ?? 0) % 2 === 0 },
      { to: at(index + 1) },
    ],
    // A gate that leads to itself says nothing new each time.
    loop: plan.isGate ? forward : ({ response }) => ((response as { n: number }).n > 4 ? 'self' : forward),
    back: plan.isGate
      ? forward
      : ({ response }) => ((response as { n: number }).n > 6 ? at(index - plan.by) : forward),
  };
  const act = (input: unknown) => {
    actions.push(`${name} ${JSON.stringify(input)}`);
    return { acted: name, on: input };
  };
  return {
    ...(plan.isGate
      ? {}
      : {
          prompt: ({ store, attempts, params }) =>
            JSON.stringify({
              name,
              attempts,
              params,
              history: store.steps.history,
              sum: store['sum'] ?? null,
            }),
          response: NUMBER,
        }),
    ...(plan.action === 'none'
      ? {}
      : { action: plan.action === 'inline' ? ({ response }) => act(response) : objectAction(act) }),
    ...(plan.saves
      ? {
          save: ({ response, actionResult }) => ({
            step: { response, actionResult },
            sum: { [name]: response },
          }),
        }
      : {}),
    next: isLast ? { terminal: true } : nexts[plan.next],
    ...(plan.next === 'loop' && !isLast ? { maxVisits: 3, onMaxVisits: forward } : {}),
  };
}

function objectAction(act: (input: unknown) => unknown): StepConfig['action'] {
  const anything = type('unknown');
  return {
    run: {
      kind: 'action',
      name: 'act',
      input: anything,
      output: anything,
      effect: 'once',
      run: ({ input }) => act(input),
    },
  };
}

function makeSkill(plans: readonly StepPlan[], isSubskill: boolean): SkillDefinition {
  const steps = Object.fromEntries(
    plans.map((plan, index) => [`s${index}`, makeStep(plan, index, plans.length)]),
  );
  const inner = definition('inner', steps, {
    params: type({ seed: 'number = 7' }),
    stores: { sum: type('object') },
  });
  if (!isSubskill) return inner;
  return definition(
    'outer',
    {
      route: { next: 'pick' },
      pick: { prompt: 'Pick.', response: NUMBER, next: 'subskill:inner' },
    },
    {
      subskills: {
        inner: { definition: inner, params: (response) => ({ seed: (response as { n: number }).n }) },
      },
    },
  );
}

interface Trace {
  readonly seen: readonly Seen[];
  readonly actions: readonly string[];
}

async function goThrough(protocol: Protocol, answers: readonly unknown[]): Promise<Trace> {
  actions = [];
  const results = [await protocol.start({})];
  for (const output of answers) {
    const last = results.at(-1);
    const step = last !== undefined && 'step' in last ? last.step : undefined;
    if (step === undefined) break;
    results.push(await protocol.advance(step as string, output));
  }
  return { seen: results, actions };
}

describe('the protocols of the command line', () => {
  it('give the same steps, prompts, results and actions for the same answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepPlan, STEPS),
        fc.boolean(),
        fc.array(answer, ANSWERS),
        async (plans, isSubskill, answers) => {
          const skill = makeSkill(plans, isSubskill);
          const expected = await goThrough(stateless(skill), answers);
          expect(await goThrough(session(skill, folder, 'file'), answers)).toEqual(expected);
          expect(await goThrough(session(skill, folder, 'flag'), answers)).toEqual(expected);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
