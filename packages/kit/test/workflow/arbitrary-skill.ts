import { type } from 'arktype';
import * as fc from 'fast-check';
import type {
  NextValue,
  SkillDefinition,
  StepConfig,
  StoreAccessor,
} from '../../src/definition/skill-definition.ts';
import { END, skillOf } from './skill-of.ts';

interface StepPlan {
  readonly hasPrompt: boolean;
  readonly manner: 'string' | 'function' | 'branches' | 'end';
  readonly targets: readonly number[];
  readonly hasAction: boolean;
  readonly saves: 'nothing' | 'null' | 'store' | 'result';
  readonly maxVisits: number | undefined;
}

const stepPlan: fc.Arbitrary<StepPlan> = fc.record({
  hasPrompt: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  manner: fc.constantFrom('string', 'function', 'branches', 'end'),
  targets: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
  hasAction: fc.boolean(),
  saves: fc.constantFrom('nothing', 'null', 'store', 'result'),
  maxVisits: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
});

/** With a default and a transformation, which a replay must not apply to another effect. */
const ANSWER = type({ pick: 'number', 'note?': 'string.trim', mood: "string = 'calm'" });

/** A plain skill that shows all that is in its store in every prompt, and whose ways depend on answers, visits and the store. */
const plainSkill = skillWith([]);

/** A skill that leaves for two sub-skills, one of them with params from the history, and for a topic. */
export const arbitrarySkill: fc.Arbitrary<SkillDefinition> = fc.oneof(
  plainSkill,
  fc
    .tuple(skillWith(['subskill:one', 'subskill:two', 'topic:tides']), plainSkill, plainSkill)
    .map(([dispatcher, one, two]) => ({
      ...dispatcher,
      topics: { tides: { label: 'Tides', content: () => 'High at six.' } },
      subskills: {
        one: { definition: one },
        two: {
          definition: two,
          params: (response: unknown, store: StoreAccessor) => ({
            response,
            seen: store.steps.history.length,
          }),
        },
      },
    })),
);

function skillWith(others: readonly string[]): fc.Arbitrary<SkillDefinition> {
  return fc.array(stepPlan, { minLength: 1, maxLength: 6 }).map((plans) => {
    const names = [...plans.map((_, index) => `s${index}`), 'self', ...others];
    const steps = Object.fromEntries(
      plans.map((plan, index) => [`s${index}`, stepOf(plan, names, `s${plans.length - 1}`)] as const),
    );
    return skillOf({ steps });
  });
}

function stepOf(plan: StepPlan, names: readonly string[], last: string): StepConfig {
  const targets = plan.targets.map((target) => names[target % names.length] ?? 'self');
  return {
    ...(plan.hasPrompt && {
      prompt: ({ store, params, attempts }) =>
        JSON.stringify({
          params,
          attempts,
          history: store.steps.history,
          env: store['env'],
          last: store.steps[last],
        }),
      response: ANSWER,
    }),
    ...(plan.hasAction && {
      action: ({ store, response }) => ({ seen: store.steps.history.length, response }),
    }),
    ...savesOf(plan),
    ...(plan.maxVisits !== undefined && { maxVisits: plan.maxVisits, onMaxVisits: last }),
    next: nextOf(plan, targets),
  };
}

function savesOf({ saves }: StepPlan): Pick<StepConfig, 'save'> {
  switch (saves) {
    case 'nothing':
      return {};
    case 'null':
      return { save: () => ({ step: null }) };
    case 'result':
      return { save: ({ response, store }) => ({ step: [response, store.steps.history.length] }) };
    case 'store':
      return {
        save: ({ actionResult, store }) => ({
          env: {
            deep: { [`k${store.steps.history.length % 3}`]: actionResult ?? 'none' },
            before: store['env'] === undefined,
          },
        }),
      };
    default:
      throw new Error('unreachable');
  }
}

function nextOf({ manner }: StepPlan, targets: readonly string[]): NextValue {
  const first = targets[0] ?? 'self';
  switch (manner) {
    case 'string':
      return first;
    case 'end':
      return END;
    case 'branches':
      return targets.map((to, index) => ({
        to,
        ...(index < targets.length - 1 && {
          when: ({ attempts }: { attempts: number }) => attempts % 2 === index,
        }),
      }));
    case 'function':
      return ({ response, attempts, store }) => {
        const { pick = 0 } = response as { pick?: number };
        const at = pick + attempts + store.steps.history.length;
        return at % 7 === 0 ? END : (targets[at % targets.length] ?? first);
      };
    default:
      throw new Error('unreachable');
  }
}
