import { assert, json, property } from 'fast-check';
import { expect, it } from 'vitest';
import { indented } from './tell-progress.ts';

it('puts any JSON on lines as a printer does, and leaves its texts alone', () => {
  assert(
    property(json(), (text) => {
      const value: unknown = JSON.parse(text);
      expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
  expect(indented('{"a":[1.0,{}],"\\u003c,":"\\"{"}')).toBe(
    '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "\\u003c,": "\\"{"\n}',
  );
});
