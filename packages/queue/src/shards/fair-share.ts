/**
 * How many shards an orchestrator should hold. The shares of all add up to the number of shards and differ by at most
 * one, so that whoever has too many gives up exactly what others lack (L4).
 * @param names the orchestrators that live, in an order that all of them see
 * @param name one of them
 * @returns 0 for one that is not among them
 */
export function fairShare(shards: number, names: readonly string[], name: string): number {
  const rank = names.indexOf(name);
  if (rank < 0) return 0;
  return Math.floor(shards / names.length) + (rank < shards % names.length ? 1 : 0);
}
