/** How a loop reads the value it walks (spec section 12). */
import { SkillyardError } from '@skillyard/contracts';
import { nameList } from './excerpt.ts';
import { type JsonNode, parseJsonText, renderValue } from './json-text.ts';
import { trimSpace } from './white-space.ts';

/** What a loop walks. */
export interface Collection {
  readonly items: string[];
  /** The list was found inside an object: the loop is degraded. */
  readonly picked: boolean;
}

/**
 * Reads a value as a list: a JSON array, the one list inside a JSON object, or lines.
 * @param name how the loop names the value, for the message
 * @param value whole and without notes, as data consumers read it
 * @throws SkillyardError LOOP_INPUT_INVALID for an object without exactly one list among its fields
 */
export function readCollection(name: string, value: string): Collection {
  const text = trimSpace(value);
  const node = text.startsWith('[') || text.startsWith('{') ? parseJsonText(text) : undefined;
  if (node instanceof Map) return { items: itemTexts(onlyList(name, node)), picked: true };
  if (Array.isArray(node)) return { items: itemTexts(node), picked: false };
  return {
    items: text
      .split('\n')
      .map(trimSpace)
      .filter((line) => line !== ''),
    picked: false,
  };
}

function itemTexts(list: readonly JsonNode[]): string[] {
  return list.map(renderValue);
}

function onlyList(name: string, object: ReadonlyMap<string, JsonNode>): JsonNode[] {
  const lists = [...object].filter((field): field is [string, JsonNode[]] => Array.isArray(field[1]));
  const [only, second] = lists;
  if (only !== undefined && second === undefined) return only[1];
  const what =
    only === undefined
      ? `an object without a list among its fields (${nameList(object.keys()) || 'it has none'})`
      : `an object with several lists (${nameList(lists.map(([field]) => field))}); name one, as in ${name}.${only[0]}`;
  throw new SkillyardError('LOOP_INPUT_INVALID', `The loop cannot walk ${name}: it is ${what}.`, {
    details: { collection: name },
  });
}
