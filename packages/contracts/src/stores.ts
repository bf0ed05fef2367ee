/**
 * What executors keep outside the state of a turn. Implemented in memory by the executors (local driver) and on Redis by
 * the queue driver.
 *
 * They are written by workers, which may die and be run again: every write is keyed by what is written, never appended,
 * so that a repeat adds nothing. They live as long as their turn.
 */
import type { CodeRound } from './code/directive.ts';
import { SkillyardError } from './error/skillyard-error.ts';
import type { TurnId } from './ids.ts';
import type { Json } from './json.ts';

/** What a look into working memory gives. `gone` says why a value that was there can no longer be read. */
export type MemoryValue =
  | { readonly found: true; readonly text: string }
  | { readonly found: false; readonly gone?: string };

/** Bytes of values that a turn may hold when the configuration does not say. */
export const DEFAULT_MEMORY_BYTES = 512 * 1024 * 1024;

/** Why a value is not kept: how much there is, how much there may be, and what can be done. */
export function memoryFull(size: {
  heldBytes: number;
  addedBytes: number;
  maxBytes: number;
}): SkillyardError {
  const { heldBytes, addedBytes, maxBytes } = size;
  return new SkillyardError(
    'MEMORY_FULL',
    `The result of ${addedBytes} bytes is not kept: the large values of the turn have ${heldBytes} bytes and may have ${maxBytes}. Let the tool give less or divide the work among several turns, or raise memory.max_bytes in the configuration.`,
    { details: { ...size } },
  );
}

/** Whole values that are too large for a variable. The variable holds a preview and a `[mem:<handle>...]` line. */
export interface WorkingMemory {
  /**
   * Keeps a whole value.
   * @param key the id of the job whose result it is: a repeat replaces the value and gives the same handle
   * @returns the handle: short, of `a-z 0-9 -`
   * @throws SkillyardError MEMORY_FULL when the values of the turn would be over its limit; then nothing has changed
   */
  put(turnId: TurnId, key: string, text: string): Promise<string>;
  /**
   * The whole value behind a handle.
   * @param turnId the turn that asks. A model may write any handle it likes: values of other turns are not found, but
   *   those of a chain of delegations may be shared among its turns, since they pass handles to each other.
   */
  get(turnId: TurnId, handle: string): Promise<MemoryValue>;
}

/** What the code of a turn decided, round by round. What was kept first of a round holds. */
export interface CodeJournal {
  /** The first `rounds` rounds, in order. */
  load(turnId: TurnId, journal: string, rounds: number): Promise<CodeRound[]>;
  /**
   * Keeps a round. Two workers may make one decision, when the first was taken for dead, and code that reads a clock may
   * decide twice differently: what is done for it and what is remembered of it must be of the same one.
   * @param decision what was decided in this round
   * @returns the decision that holds: of whoever kept the round first
   */
  save(turnId: TurnId, journal: string, round: number, kept: CodeRound, decision: Json): Promise<Json>;
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
