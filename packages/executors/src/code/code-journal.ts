import type { CodeJournal, CodeRound, TurnId } from '@skillyard/contracts';

/** Journals of one process. */
export interface LocalJournal extends CodeJournal {
  /** Drops every journal of a turn that has ended. */
  forget(turnId: TurnId): void;
}

/** Keeps what the code of turns decided in this process, until a turn is forgotten. */
export function localJournal(): LocalJournal {
  const turns = new Map<TurnId, Map<string, CodeRound[]>>();
  return {
    load: async (turnId, journal, rounds) => (turns.get(turnId)?.get(journal) ?? []).slice(0, rounds),
    save: async (turnId, journal, round, kept) => {
      const journals = turns.get(turnId) ?? new Map<string, CodeRound[]>();
      const entries = journals.get(journal) ?? [];
      entries[round] = kept;
      turns.set(turnId, journals.set(journal, entries));
    },
    forget: (turnId) => {
      turns.delete(turnId);
    },
  };
}
