import type { CodeJournal, CodeRound, Json, TurnId } from '@skillyard/contracts';

/** Journals of one process. */
export interface LocalJournal extends CodeJournal {
  /** Drops every journal of a turn that has ended. */
  forget(turnId: TurnId): void;
}

interface Entry {
  readonly kept: CodeRound;
  readonly decision: Json;
}

/** Keeps what the code of turns decided in this process, until a turn is forgotten. */
export function localJournal(): LocalJournal {
  const turns = new Map<TurnId, Map<string, Entry[]>>();
  return {
    load: async (turnId, journal, rounds) =>
      (turns.get(turnId)?.get(journal) ?? []).slice(0, rounds).map(({ kept }) => kept),
    save: async (turnId, journal, round, kept, decision) => {
      const journals = turns.get(turnId) ?? new Map<string, Entry[]>();
      const entries = journals.get(journal) ?? [];
      const entry = (entries[round] ??= { kept, decision });
      turns.set(turnId, journals.set(journal, entries));
      return entry.decision;
    },
    forget: (turnId) => {
      turns.delete(turnId);
    },
  };
}
