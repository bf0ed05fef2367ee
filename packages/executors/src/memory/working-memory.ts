import { createHash } from 'node:crypto';
import { DEFAULT_MEMORY_BYTES, memoryFull, type TurnId, type WorkingMemory } from '@skillyard/contracts';

/**
 * Working memory of one process.
 *
 * W1 A value belongs to one turn and to those it delegates to: a handle finds nothing in any other.
 * W2 Putting under the same key again replaces the value and gives the same handle, so that a repeated job leaves
 *    one value behind and not two.
 * W3 A turn that would hold more than it may is refused the value, and keeps those it has.
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

export interface LocalMemoryOptions {
  /** The first turn of the chain of delegations that a turn stands in; the turn itself when absent. */
  readonly rootOf?: (turnId: TurnId) => TurnId;
  /** Bytes of the values of one turn, with those of the turns it delegates to; 512 MiB when absent. */
  readonly maxBytes?: number | undefined;
}

/** The values of one turn. */
interface Held {
  readonly values: Map<string, string>;
  bytes: number;
}

/** Holds values in this process until their turn is forgotten. */
export function localMemory(options: LocalMemoryOptions = {}): LocalMemory {
  const { rootOf = (turnId) => turnId, maxBytes = DEFAULT_MEMORY_BYTES } = options;
  const turns = new Map<TurnId, Held>();
  return {
    put: async (turnId, key, text) => {
      const handle = handleFor(key);
      const root = rootOf(turnId);
      const held = turns.get(root) ?? { values: new Map<string, string>(), bytes: 0 };
      const addedBytes = Buffer.byteLength(text, 'utf8');
      const bytes = held.bytes - Buffer.byteLength(held.values.get(handle) ?? '', 'utf8') + addedBytes;
      if (bytes > maxBytes) throw memoryFull({ heldBytes: held.bytes, addedBytes, maxBytes });
      held.values.set(handle, text);
      held.bytes = bytes;
      turns.set(root, held);
      return handle;
    },
    get: async (turnId, handle) => {
      const text = turns.get(rootOf(turnId))?.values.get(handle);
      return text === undefined ? { found: false } : { found: true, text };
    },
    forget: (turnId) => {
      turns.delete(turnId);
    },
  };
}
