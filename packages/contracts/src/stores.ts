/**
 * What executors keep outside the state of a turn. Implemented in memory by the executors (local driver) and on Redis by
 * the queue driver.
 *
 * Both are written by workers, which may die and be run again: every write is keyed by what is written, never appended,
 * so that a repeat overwrites itself. Both live as long as their turn.
 */
import type { TurnId } from './ids.ts';
import type { Json } from './json.ts';

/** What a look into working memory gives. `gone` says why a value that was there can no longer be read. */
export type MemoryValue =
  | { readonly found: true; readonly text: string }
  | { readonly found: false; readonly gone?: string };

/** Whole values that are too large for a variable. The variable holds a preview and a `[mem:<handle>...]` line. */
export interface WorkingMemory {
  /**
   * Keeps a whole value.
   * @param key the id of the job whose result it is: a repeat replaces the value and gives the same handle
   * @returns the handle: short, of `a-z 0-9 -`
   */
  put(turnId: TurnId, key: string, text: string): Promise<string>;
  /**
   * The whole value behind a handle.
   * @param turnId the turn that asks. A model may write any handle it likes: values of other turns are not found, but
   *   those of a chain of delegations may be shared among its turns, since they pass handles to each other.
   */
  get(turnId: TurnId, handle: string): Promise<MemoryValue>;
}

/**
 * The messages of one model step, round by round. What a message is, is the model executor's own business.
 */
export interface ConversationStore<Message = Json> {
  /**
   * The messages of the first `rounds` rounds, in order.
   * Those of a later round, left by an earlier run of the same job, are not among them.
   */
  load(turnId: TurnId, conversation: string, rounds: number): Promise<Message[]>;
  /** Keeps the messages of a round; a repeat of the same round replaces them. */
  save(turnId: TurnId, conversation: string, round: number, messages: readonly Message[]): Promise<void>;
}
