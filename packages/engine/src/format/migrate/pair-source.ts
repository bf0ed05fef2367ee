import type { CST } from 'yaml';

/** A key with its value, as it stands in the text. */
export interface PairSource {
  /** Where it begins, an anchor or a tag of the key included. */
  readonly begin: number;
  /** Behind the last character of its value; undefined for a value that is a block. */
  readonly end: number | undefined;
  /** Behind its colon and what belongs to the value there, such as an anchor; a value that is not written goes here. */
  readonly valueGap: number;
  readonly hasColon: boolean;
  readonly value: CST.Token | undefined;
  /** Written between braces. */
  readonly isFlow: boolean;
  /** Where the key begins whose value is the mapping that this pair stands in; {@link IN_ROOT} or {@link IN_LIST}. */
  readonly parent: number;
}

/** The parent of a pair of the root. */
export const IN_ROOT = -1;
/** The parent of a pair of a mapping that is an item of a list. */
const IN_LIST = -2;

/**
 * The pairs as they are written, by where their keys begin. Aliases and merge keys are not followed: what a mapping only
 * takes over stands elsewhere, and this says where.
 */
export function indexPairs(tokens: readonly CST.Token[]): ReadonlyMap<number, PairSource> {
  const pairs = new Map<number, PairSource>();
  for (const token of tokens) if (token.type === 'document') indexNode(token.value, IN_ROOT, pairs);
  return pairs;
}

function indexNode(node: CST.Token | undefined, parent: number, pairs: Map<number, PairSource>): void {
  if (node === undefined || !('items' in node)) return;
  const isList = node.type === 'block-seq' || (node.type === 'flow-collection' && node.start.source === '[');
  for (const item of node.items) {
    const keyOffset = item.key?.offset;
    if (keyOffset !== undefined) {
      const isFlow = node.type === 'flow-collection';
      pairs.set(keyOffset, pairOf(item, keyOffset, { isFlow, parent: isList ? IN_LIST : parent }));
    }
    indexNode(item.value, keyOffset ?? IN_LIST, pairs);
  }
}

/** Tokens that belong to no key and no value. */
const BETWEEN = new Set(['comma', 'space', 'newline', 'comment']);

function pairOf(
  item: CST.CollectionItem,
  keyOffset: number,
  where: { readonly isFlow: boolean; readonly parent: number },
): PairSource {
  const { start, key, sep, value } = item;
  const first = start.find((token) => !BETWEEN.has(token.type));
  const last = sep?.findLast((token) => !BETWEEN.has(token.type));
  const keyEnd = (key && endOf(key)) ?? keyOffset;
  const valueGap = last === undefined ? keyEnd : last.offset + last.source.length;
  return {
    ...where,
    begin: first?.offset ?? keyOffset,
    end: value ? endOf(value) : valueGap,
    valueGap,
    hasColon: sep?.some((token) => token.type === 'map-value-ind') ?? false,
    value,
  };
}

/** Behind the last character of a value that is no block. */
function endOf(token: CST.Token): number | undefined {
  switch (token.type) {
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return token.offset + token.source.length;
    case 'flow-collection': {
      const close = token.end[0];
      return close && close.offset + close.source.length;
    }
    default:
      return undefined;
  }
}
