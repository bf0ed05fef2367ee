import { holdFolder } from '@skillyard/processes';
import { KitError } from '../kit-error.ts';

/**
 * Takes a session for this caller alone, or refuses at once. Death gives it back.
 * @param folder of this session alone
 * @returns gives it back; may be called again
 * @throws KitError SESSION_BUSY
 */
export function lockSession(folder: string, sessionId: string): () => void {
  const hold = holdFolder(folder);
  if ('release' in hold) return hold.release;
  const { heldBy } = hold;
  const by = heldBy === null ? '' : ` (process ${heldBy.pid} on ${heldBy.host})`;
  throw new KitError(
    'SESSION_BUSY',
    `session "${sessionId}" is being advanced by another call${by}: wait until it has ended, then read the session before you go on`,
  );
}
