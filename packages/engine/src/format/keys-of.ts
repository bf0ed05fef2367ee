import type { Position } from '@skillyard/contracts';
import type { Located } from './field.ts';

/** Tells the position of an offset in the source. */
export type PositionAt = (offset: number) => Position;

/**
 * Positions of all keys of some blocks. A key of the first is named as it is, a key of another with the name of its
 * block before it: `when`, `call.args`.
 */
export function keysOf(
  blocks: readonly (Located | null)[],
  positionAt: PositionAt,
): ReadonlyMap<string, Position> {
  const keys = new Map<string, Position>();
  for (const block of blocks) {
    if (block === null) continue;
    const prefix = block === blocks[0] ? '' : `${block.place.key}.`;
    for (const [key, { keyOffset }] of block.node.entries) keys.set(prefix + key, positionAt(keyOffset));
  }
  return keys;
}
