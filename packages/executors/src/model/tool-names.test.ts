import { describe, expect, it } from 'vitest';
import { offeredName } from './tool-names.ts';

describe('offeredName', () => {
  it('is the server and the tool where every provider takes that', () => {
    expect(offeredName('shop', 'add_item')).toBe('shop__add_item');
  });

  it('is legal for any name', () => {
    for (const [server, tool] of [
      ['shop.eu', 'add item'],
      ['läden', '加'],
      ['s'.repeat(60), 't'.repeat(60)],
      ['a', ''],
    ] as const) {
      expect(offeredName(server, tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }
  });

  it('never gives two tools one name', () => {
    const tools = [
      ['a__b', 'c'],
      ['a', 'b__c'],
      ['a_', '_b'],
      ['a', '__b'],
      ['x.y', 'z'],
      ['x_y', 'z'],
      ['x y', 'z'],
      ['q'.repeat(64), '1'],
      ['q'.repeat(64), '2'],
    ] as const;
    expect(new Set(tools.map(([server, tool]) => offeredName(server, tool))).size).toBe(tools.length);
  });
});
