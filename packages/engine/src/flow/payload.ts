/**
 * What data consumers read: whole values without notes (spec section 6). Arguments, conditions, `switch`, collections
 * and models without tools are data consumers; a model with tools is shown the stored text instead.
 */
import type { Environment } from './environment.ts';
import { splitNotes, trimNotes } from './notes.ts';
import { type Found, lookUp, type Reference } from './reference.ts';

/** A value as data consumers read it. */
export interface Whole extends Found {
  /** The handle that could not be read, so that the text is only a fragment; empty when the text is whole. */
  readonly unread: string;
}

/**
 * The whole of a value, without the notes below it and without those below the whole value itself.
 * A value that is nothing but a handle and cannot be read stays as it is.
 */
export function readWhole(text: string, env: Environment): Whole {
  const notes = env.vocabulary.truncationNotes;
  const { body, handle } = splitNotes(text, notes);
  if (handle === '') return { text: body, unread: '', gone: '', pending: false };
  const answer = env.memory(handle, '');
  if (answer === undefined) return { text: '', unread: '', gone: '', pending: true };
  if (answer.found) return { text: trimNotes(answer.text, notes), unread: '', gone: '', pending: false };
  return { text: body, unread: handle, gone: answer.gone ?? '', pending: false };
}

/**
 * The whole of what a reference leads to.
 * @throws SkillyardError REFERENCE_UNRESOLVED if an index or a deeper path leads nowhere
 */
export function readWholeReference(reference: Reference, env: Environment): Whole {
  const met = lookUp(reference, env);
  if (met.pending || met.gone !== '') return { ...met, unread: '' };
  return readWhole(met.text, env);
}
