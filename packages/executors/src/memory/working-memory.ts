import { createHash } from 'node:crypto';
import type { TurnId, WorkingMemory } from '@skillyard/contracts';

/**
 * Working memory of one process.
 *
 * W1 A value belongs to one turn and to those it delegates to: a handle finds nothing in any other.
 * W2 Putting under the same key again replaces the value and gives the same handle, so that a repeated job leaves
 *    one value behind and not two.
 */
export interface LocalMemory extends WorkingMemory {
  /** Drops every value of a turn that has ended. */
  forget(turnId: TurnId): void;
}

const HANDLE_LENGTH = 12;

/**
 * The handle of the value of a job: short enough for a prompt, always the same for a job, and not to be guessed from
 * another turn, since the id of the turn is part of the key.
 */
export function handleFor(key: string): string {
  const hash = createHash('sha256').update(key).digest('base64url').toLowerCase();
  return `m-${hash.replaceAll(/[^a-z0-9]/g, '').slice(0, HANDLE_LENGTH)}`;
}

/**
 * Holds values in this process until their turn is forgotten.
 * @param rootOf the first turn of the chain of delegations that a turn stands in; the turn itself when absent
 */
export function localMemory(rootOf: (turnId: TurnId) => TurnId = (turnId) => turnId): LocalMemory {
  const turns = new Map<TurnId, Map<string, string>>();
  return {
    put: async (turnId, key, text) => {
      const handle = handleFor(key);
      const root = rootOf(turnId);
      const values = turns.get(root) ?? new Map<string, string>();
      turns.set(root, values.set(handle, text));
      return handle;
    },
    get: async (turnId, handle) => {
      const text = turns.get(rootOf(turnId))?.get(handle);
      return text === undefined ? { found: false } : { found: true, text };
    },
    forget: (turnId) => {
      turns.delete(turnId);
    },
  };
}
