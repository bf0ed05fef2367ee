import type { StepResults, StoreAccessor } from '../definition/skill-definition.ts';
import type { RunState } from './run-state.ts';

/**
 * The store as callbacks see it: always what the state holds now, and never to be written to. It has no keys to list, so it
 * is `{}` in JSON.
 */
export function storeAccessor(state: RunState): StoreAccessor {
  const steps = readOnly((name) => {
    switch (name) {
      case 'all':
        return (step: string) => Object.freeze([...state.resultsOf(step)]);
      case 'ran':
        return (step: string) => state.visits(step) > 0;
      case 'history':
        return state.history;
      default:
        return state.resultsOf(name).at(-1);
    }
  }) as StepResults;
  return readOnly((name) => (name === 'steps' ? steps : state.subStore(name))) as StoreAccessor;
}

function readOnly(get: (name: string) => unknown): object {
  return new Proxy(Object.freeze({}), {
    get: (_target, name) => (typeof name === 'string' ? get(name) : undefined),
  });
}
