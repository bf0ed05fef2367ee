import type { SessionStore } from './session-store.ts';

/**
 * Sessions as files of a folder.
 * @param folder must exist; null: `skill-kit-sessions` in the folder for temporary files, made when it is not there
 */
export function fileSessionStore(_folder: string | null): SessionStore {
  throw new Error('not yet');
}
