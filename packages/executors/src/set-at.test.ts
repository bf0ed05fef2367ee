import type { JsonObject } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { setAt } from './set-at.ts';

describe('setAt', () => {
  it('writes where the path leads and nowhere else', () => {
    const root: JsonObject = { rows: [{ id: 1 }] };
    expect(setAt(root, ['rows', 0, 'id'], 2)).toBe(true);
    expect(setAt(root, ['rows', 5, 'id'], 2)).toBe(false);
    expect(setAt(root, ['rows', 0, 'other'], 2)).toBe(false);
    expect(setAt(root, [], 2)).toBe(false);
    expect(root).toEqual({ rows: [{ id: 2 }] });
  });

  it('takes __proto__ for a key like any other', () => {
    const root = JSON.parse('{"__proto__": {"x": "a"}}') as JsonObject;
    expect(setAt(root, ['__proto__', 'x'], 'b')).toBe(true);
    expect(JSON.stringify(root)).toBe('{"__proto__":{"x":"b"}}');
    expect(setAt({}, ['__proto__', 'polluted'], true)).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
