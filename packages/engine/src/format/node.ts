/**
 * The value tree of a skill file: what YAML says, before any field gives it a meaning.
 *
 * Scalars keep the characters of the source (spec section 1: `1.50`, `007` and `yes` are those characters); only the
 * field that reads a scalar decides whether it is text, a number or a flag. Aliases and merge keys are already resolved,
 * so one node may stand in several places.
 */

/** A scalar. */
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
  /** May be read as a number, a flag or null: written without quotes, not as a block, and not tagged as text. */
  readonly plain: boolean;
  /** Where it begins in the source. */
  readonly offset: number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly Node[];
  readonly offset: number;
}

/** A mapping. A Map, so that index-like keys keep their place and `__proto__` is a key like any other. */
export interface MapNode {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Entry>;
  readonly offset: number;
}

export interface Entry {
  /** Where the key begins in the source. */
  readonly keyOffset: number;
  readonly value: Node;
}

export type Node = TextNode | ListNode | MapNode;

/** A mapping without keys. */
export function emptyMap(offset: number): MapNode {
  return { kind: 'map', entries: new Map(), offset };
}
