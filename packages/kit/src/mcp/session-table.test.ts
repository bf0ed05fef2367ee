import { describe, expect, it } from 'vitest';
import { SessionTable } from './session-table.ts';

function tableAt(start: number): { table: SessionTable<string>; pass: (ms: number) => void } {
  let now = start;
  const table = new SessionTable<string>({ idleMs: 100, maxSessions: 2, now: () => now });
  return { table, pass: (ms) => (now += ms) };
}

describe('a session', () => {
  it('is found by an id that cannot be guessed', () => {
    const { table } = tableAt(0);
    const id = table.add('a');
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(table.get(id)).toBe('a');
    expect(table.get('0'.repeat(32))).toBeUndefined();
  });

  it('is forgotten when it was not used for the time, which every use begins anew', () => {
    const { table, pass } = tableAt(0);
    const id = table.add('a');
    pass(90);
    expect(table.get(id)).toBe('a');
    pass(90);
    expect(table.get(id)).toBe('a');
    pass(101);
    expect(table.get(id)).toBeUndefined();
  });

  it('is forgotten when there are too many and it was not used for longest', () => {
    const { table } = tableAt(0);
    const first = table.add('a');
    const second = table.add('b');
    table.get(first);
    const third = table.add('c');
    expect(table.get(second)).toBeUndefined();
    expect([table.get(first), table.get(third)]).toEqual(['a', 'c']);
  });
});
