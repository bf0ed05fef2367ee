import { isPlainObject } from './plain-object.ts';

/**
 * Merges plain objects at every depth into a new one. Anything else in `source` replaces what is in `target`; undefined does not.
 */
export function deepMerge(target: unknown, source: unknown): unknown {
  if (source === undefined) {
    return target;
  }
  if (!isPlainObject(source)) {
    return source;
  }
  const base = isPlainObject(target) ? target : {};
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(source)) {
    if (value !== undefined) {
      merged.set(key, deepMerge(merged.get(key), value));
    }
  }
  // Own properties only, so that a key `__proto__` is a key like any other.
  return Object.fromEntries(merged);
}
