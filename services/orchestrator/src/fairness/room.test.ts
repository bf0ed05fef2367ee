import { describe, expect, it } from 'vitest';
import { partOfRoom, roomOf, UNKNOWN_ROOM } from './room.ts';

const weightOf = (tenant: string): number => (tenant === 'heavy' ? 3 : 1);

describe('the room of a queue', () => {
  it('holds what its workers run and as much that waits', () => {
    expect(roomOf(null, 0)).toBe(UNKNOWN_ROOM);
    expect(roomOf(1, 0)).toBe(5);
    expect(roomOf(32, 0.3)).toBe(64);
  });

  it('is larger where jobs are so short that it would be empty before the next ones come', () => {
    expect(roomOf(32, 3)).toBe(32 + 150);
  });

  it('belongs to one orchestrator while no other holds jobs back', () => {
    expect(partOfRoom(40, ['a'], [], weightOf)).toBe(40);
  });

  it('is shared between orchestrators by what their tenants are due', () => {
    expect(partOfRoom(40, ['heavy'], [['light']], weightOf)).toBe(30);
    expect(partOfRoom(40, ['light'], [['heavy']], weightOf)).toBe(10);
    expect(partOfRoom(40, ['light', 'heavy'], [['heavy']], weightOf)).toBe(25);
    expect(partOfRoom(40, ['a'], [['a'], ['a'], ['a']], weightOf)).toBe(10);
  });

  it('leaves an orchestrator two jobs at least', () => {
    expect(partOfRoom(5, ['light'], [['heavy'], ['a'], ['b']], weightOf)).toBe(2);
    expect(partOfRoom(5, [], [['a'], ['b']], weightOf)).toBe(2);
  });
});
