import type { Json, JsonObject } from '@skillyard/contracts';
import type { MapNode, Node } from './node.ts';
import { jsonScalarOf } from './scalar.ts';

/** The JSON value of a node: what `args`, `response_schema`, `params` and `meta` hold. */
export function jsonOf(node: Node): Json {
  switch (node.kind) {
    case 'text':
      return jsonScalarOf(node);
    case 'list':
      return node.items.map(jsonOf);
    case 'map':
      return jsonObjectOf(node);
  }
}

/** The JSON object of a mapping. */
export function jsonObjectOf(node: MapNode): JsonObject {
  const result: JsonObject = {};
  for (const [key, { value }] of node.entries) setOwn(result, key, jsonOf(value));
  return result;
}

/** Sets a key as the object's own. Assigning `__proto__` would replace the prototype instead. */
export function setOwn(target: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
