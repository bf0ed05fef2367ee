import { isPlainObject } from './plain-object.ts';

/**
 * Freezes plain objects and arrays at every depth, in place: what is recorded must not be changed by whoever still holds it.
 * Dates, maps and instances of classes stay as they are, their methods could break.
 */
export function deepFreeze<Value>(value: Value): Value {
  const pending: unknown[] = [value];
  const seen = new Set<unknown>();
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if ((!Array.isArray(current) && !isPlainObject(current)) || seen.has(current)) {
      continue;
    }
    seen.add(current);
    Object.freeze(current);
    for (const part of Object.values(current)) {
      if (typeof part === 'object' && part !== null) {
        pending.push(part);
      }
    }
  }
  return value;
}
