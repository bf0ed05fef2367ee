import type { Json, JsonObject } from '@skillyard/contracts';

/**
 * Writes a value at a path inside arguments.
 * Keys are defined, not assigned, so that `__proto__` is a key like any other.
 * @param path keys and indexes from the root; never empty
 * @returns false when the path leads nowhere
 */
export function setAt(root: JsonObject, path: readonly (string | number)[], value: Json): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  let parent: Json | undefined = root;
  for (const key of path.slice(0, -1)) parent = ownChild(parent, key);
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return false;
  Object.defineProperty(parent, last, { value, writable: true, enumerable: true, configurable: true });
  return true;
}

function ownChild(parent: Json | undefined, key: string | number): Json | undefined {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return undefined;
  return (parent as JsonObject)[key];
}
