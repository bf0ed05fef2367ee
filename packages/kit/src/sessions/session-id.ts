import { randomBytes } from 'node:crypto';

const ID = /^[0-9a-f]{32}$/;
const ID_BYTES = 16;

/** An id that nobody guesses: whoever knows it can go on with the session. */
export function newSessionId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** Whether this can be the id of a session at all. What cannot must not reach a path. */
export function isSessionId(id: string): boolean {
  return ID.test(id);
}
