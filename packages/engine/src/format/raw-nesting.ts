import type { RawStep } from './shapes.ts';

type Steps = readonly RawStep[] | null;

/** The step lists nested in a step as written, in document order. A step with several blocks has those of each. */
export function nestedRawLists(step: RawStep): readonly (readonly RawStep[])[] {
  const lists: readonly Steps[] = [
    ...(step.switch?.cases?.values() ?? []),
    step.switch?.default ?? null,
    step.if?.then ?? null,
    step.if?.else ?? null,
    step.for_each?.steps ?? null,
    ...(step.parallel?.branches ?? []),
  ];
  return lists.filter((list) => list !== null);
}

/** A step as written with each of its nested lists replaced; the step itself when it has none. */
export function mapNestedRaw(
  step: RawStep,
  change: (list: readonly RawStep[]) => readonly RawStep[],
): RawStep {
  const each = (list: Steps): Steps => list && change(list);
  const { switch: choice, if: fork, for_each: loop, parallel } = step;
  if (!choice && !fork && !loop && !parallel) return step;
  return {
    ...step,
    switch: choice && {
      ...choice,
      cases: choice.cases && new Map([...choice.cases].map(([value, list]) => [value, change(list)])),
      default: each(choice.default),
    },
    if: fork && { ...fork, then: each(fork.then), else: each(fork.else) },
    for_each: loop && { ...loop, steps: each(loop.steps) },
    parallel: parallel && { ...parallel, branches: parallel.branches && parallel.branches.map(change) },
  };
}

/** All steps of a list, each before what is nested in it. */
export function* walkRaw(steps: readonly RawStep[]): Generator<RawStep> {
  for (const step of steps) {
    yield step;
    for (const list of nestedRawLists(step)) yield* walkRaw(list);
  }
}
