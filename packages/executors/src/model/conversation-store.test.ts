import { turnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { localConversations } from './conversation-store.ts';
import type { Message } from './message.ts';

const turn = turnId('t1');
const user = (text: string): Message => ({ role: 'user', text });

describe('local conversations', () => {
  it('S1: a round that is generated again overwrites its entry', async () => {
    const store = localConversations();
    await store.save(turn, '3.g0', 0, [user('a')]);
    await store.save(turn, '3.g0', 1, [user('b'), user('c')]);
    await store.save(turn, '3.g0', 0, [user('A')]);
    expect(await store.load(turn, '3.g0', 2)).toEqual([user('A'), user('b'), user('c')]);
    expect(await store.load(turn, '3.g0', 1)).toEqual([user('A')]);
    expect(await store.load(turn, '3.g1', 1)).toEqual([]);
  });

  it('forgets a turn that has ended', async () => {
    const store = localConversations();
    await store.save(turn, '3.g0', 0, [user('a')]);
    store.forget(turn);
    expect(await store.load(turn, '3.g0', 1)).toEqual([]);
  });
});
