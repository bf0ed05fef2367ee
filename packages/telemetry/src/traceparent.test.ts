import { describe, expect, it } from 'vitest';
import { readTraceparent, writeTraceparent } from './traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('is read, and written as it was', () => {
    for (const text of [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`]) {
      const context = readTraceparent(text);
      expect(context).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
      expect(context && writeTraceparent(context)).toBe(text);
    }
  });

  it('that is none is left alone, so that the turn begins a trace of its own', () => {
    const none = ['', 'nonsense', `00-${TRACE}-${SPAN}`, `00-${'0'.repeat(32)}-${SPAN}-01`];
    const wrong = [
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    ];
    for (const text of [undefined, ...none, ...wrong]) expect(readTraceparent(text)).toBeUndefined();
  });
});
