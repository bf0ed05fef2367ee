/** Does something for each item, several at once; the results stand in the order of the items. */
export async function mapInOrder<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
