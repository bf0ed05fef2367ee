import { availableParallelism } from 'node:os';

/** Does something with each of a list, as many at a time as there are processors; results in the order of the list. */
export async function inTurns<T, R>(list: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const turns = list.entries();
  const work = async (): Promise<void> => {
    for (const [index, one] of turns) results[index] = await act(one);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}
