import type { ConversationStore, TurnId } from '@skillyard/contracts';
import type { Message } from './message.ts';

/** Conversations of one process. */
export interface LocalConversations extends ConversationStore<Message> {
  /** Drops every conversation of a turn that has ended. */
  forget(turnId: TurnId): void;
}

/** Keeps conversations in this process until their turn is forgotten. */
export function localConversations(): LocalConversations {
  const turns = new Map<TurnId, Map<string, (readonly Message[])[]>>();
  return {
    load: async (turnId, id, rounds) => (turns.get(turnId)?.get(id) ?? []).slice(0, rounds).flat(),
    save: async (turnId, id, round, messages) => {
      const conversations = turns.get(turnId) ?? new Map<string, (readonly Message[])[]>();
      const entries = conversations.get(id) ?? [];
      entries[round] = messages;
      turns.set(turnId, conversations.set(id, entries));
    },
    forget: (turnId) => {
      turns.delete(turnId);
    },
  };
}
