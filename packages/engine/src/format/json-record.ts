import type { Json, JsonObject } from '@skillyard/contracts';
import { block, type Field, type Shape } from './field.ts';
import { jsonObjectOf, setOwn } from './json-of.ts';

/** A mapping kept as JSON, except that the keys of the shape are read as the shape says: names stay text. */
export function jsonRecord(shape: Shape): Field<JsonObject, null> {
  const typed = block(shape);
  return {
    absent: null,
    read(node, place, reading) {
      const known: Readonly<Record<string, unknown>> = typed.read(node, place, reading);
      const result = node.kind === 'map' ? jsonObjectOf(node) : {};
      for (const key of Object.keys(shape)) {
        if (Object.hasOwn(result, key)) setOwn(result, key, known[key] as Json);
      }
      return result;
    },
  };
}
