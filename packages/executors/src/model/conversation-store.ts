import type { TurnId } from '@skillyard/contracts';
import type { Message } from './message.ts';

/**
 * Where the messages of model steps are kept, outside the state of their turn.
 *
 * S1 Each round is an entry of its own. A round that is generated again overwrites its entry, so that a worker that
 *    died after saving leaves nothing double.
 */
export interface ConversationStore {
  /** The messages of the first `rounds` rounds, in order. Fewer, when entries are gone. */
  load(turnId: TurnId, id: string, rounds: number): Promise<Message[]>;
  save(turnId: TurnId, id: string, round: number, messages: readonly Message[]): Promise<void>;
}

/** Conversations of one process. */
export interface LocalConversations extends ConversationStore {
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
