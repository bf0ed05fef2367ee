import { KitError } from '../kit-error.ts';

/** Plays the agent in a test. */
export interface ModelAdapter {
  /** The answer to the prompt of a step; the step of a sub-skill is named `<sub-skill>/<step>`. */
  respond(step: string, prompt: string): unknown;
}

/**
 * Answers each step with what a map says.
 * @param answers by step: an answer that is always the same, an array of answers to be given one after another, or a function that
 * makes one of the prompt
 * @returns a model that throws a KitError PROTOCOL for a step that is not in the map, or is asked more often than it has answers
 */
export function mockModel(answers: Readonly<Record<string, unknown>>): ModelAdapter {
  const asked = new Map<string, number>();
  return {
    respond: (step, prompt) => {
      const visit = (asked.get(step) ?? 0) + 1;
      asked.set(step, visit);
      const answer = Object.hasOwn(answers, step) ? answers[step] : undefined;
      if (answer === undefined) {
        throw new KitError('PROTOCOL', `The mock model has no answer for step "${step}"; add it to the map`);
      }
      if (typeof answer === 'function') {
        return (answer as (prompt: string) => unknown)(prompt);
      }
      if (!Array.isArray(answer)) {
        return answer;
      }
      const inTurn: readonly unknown[] = answer;
      if (visit > inTurn.length) {
        throw new KitError(
          'PROTOCOL',
          `Step "${step}" was asked ${visit} times, and the mock model has only ${inTurn.length} of its answers`,
        );
      }
      return inTurn[visit - 1];
    },
  };
}
