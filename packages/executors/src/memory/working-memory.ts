import { createHash } from 'node:crypto';
import type { TurnId } from '@skillyard/contracts';

/** What a look into working memory gives. `gone` says why a value that was there can no longer be read. */
export type MemoryValue =
  | { readonly found: true; readonly text: string }
  | { readonly found: false; readonly gone?: string };

/**
 * Where the large values of a turn are held, outside its variables.
 *
 * W1 A value belongs to one turn: the handle of one turn finds nothing in another.
 * W2 Putting under the same key again replaces the value and gives the same handle, so that a repeated job leaves
 *    one value behind and not two.
 */
export interface WorkingMemory {
  /** @param key the id of the job whose result it is */
  put(turnId: TurnId, key: string, text: string): Promise<string>;
  get(turnId: TurnId, handle: string): Promise<MemoryValue>;
}

/** Working memory of one process. */
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

/** Holds values in this process until their turn is forgotten. */
export function localMemory(): LocalMemory {
  const turns = new Map<TurnId, Map<string, string>>();
  return {
    put: async (turnId, key, text) => {
      const handle = handleFor(key);
      const values = turns.get(turnId) ?? new Map<string, string>();
      turns.set(turnId, values.set(handle, text));
      return handle;
    },
    get: async (turnId, handle) => {
      const text = turns.get(turnId)?.get(handle);
      return text === undefined ? { found: false } : { found: true, text };
    },
    forget: (turnId) => {
      turns.delete(turnId);
    },
  };
}
