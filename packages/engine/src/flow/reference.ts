/**
 * References to variables and to what lies inside their values (spec section 3).
 *
 * R1 A variable stored under the exact spelling of the reference beats walking into another one.
 * R2 An unknown name and ONE missing `.field` are empty; so is a reference with an index that fits no integer.
 * R3 Everything else that leads nowhere is an error: an index, and anything deeper than one field.
 * R4 What is walked is the value without its notes; if that is not JSON, the whole value behind the handle.
 */
import { SkillyardError } from '@skillyard/contracts';
import type { Environment, MemoryAnswer } from './environment.ts';
import { excerpt } from './excerpt.ts';
import { walkJson } from './json-walk.ts';
import { splitNotes, trimNotes } from './notes.ts';
import { nameEnd, type PathKey, scanPath } from './path.ts';
import { trimGrammarBlanks } from './white-space.ts';

/** A parsed reference. */
export interface Reference {
  /** As it is written, without blanks around it. */
  readonly text: string;
  /** The name of the variable that is walked. */
  readonly base: string;
  /** null: an index that fits no integer. */
  readonly path: readonly PathKey[];
  /** The path part of the text, such as `.rows[2].id`; empty when there is none. */
  readonly at: string;
  /** Only one `.field`: a miss is silent. */
  readonly quiet: boolean;
}

/** The text a reference leads to, and what was met on the way to it. */
export interface Found {
  readonly text: string;
  /** Why a value that was there can no longer be read; empty when none was needed. */
  readonly gone: string;
  /** The environment has noted a need: the text stands in for a value that is not there yet. */
  readonly pending: boolean;
}

const NOTHING: Found = { text: '', gone: '', pending: false };
const PENDING: Found = { text: '', gone: '', pending: true };

/** Parses a text that is a reference as a whole; ASCII blanks around it are allowed. */
export function parseReference(text: string): Reference | undefined {
  const trimmed = trimGrammarBlanks(text);
  const reference = scanReference(trimmed, 0);
  return reference?.text.length === trimmed.length ? reference : undefined;
}

/** Parses the longest reference that starts at a place. */
export function scanReference(text: string, from: number): Reference | undefined {
  const baseEnd = nameEnd(text, from);
  if (baseEnd === from) return undefined;
  const path = scanPath(text, baseEnd);
  return {
    text: text.slice(from, path.end),
    base: text.slice(from, baseEnd),
    path: path.keys,
    at: text.slice(baseEnd, path.end),
    quiet: path.keys.length === 1 && typeof path.keys[0] === 'string',
  };
}

/**
 * The text a reference leads to: a variable's stored text untouched, or what lies at its path, a string as it is and
 * everything else as compact JSON (spec section 3).
 * @throws SkillyardError REFERENCE_UNRESOLVED if an index or a deeper path leads nowhere
 */
export function readReference(reference: Reference, env: Environment): string {
  return lookUp(reference, env).text;
}

/**
 * Reads a reference and says what was met on the way.
 * @throws SkillyardError REFERENCE_UNRESOLVED if an index or a deeper path leads nowhere
 */
export function lookUp(reference: Reference, env: Environment): Found {
  const exact = env.variable(reference.text);
  if (exact !== undefined) return found(exact);
  if (reference.path.length === 0 || reference.path.includes(null)) return NOTHING;
  const stored = env.variable(reference.base);
  if (stored === undefined) return missed(reference, `nothing has written the variable ${reference.base}`);
  const { body, handle } = splitNotes(stored, env.vocabulary.truncationNotes);
  const walked = walkJson(body, reference.path);
  if (walked !== undefined) return walked.found ? found(walked.text) : missed(reference, walked.miss);
  if (handle === '') return missed(reference, `the value is not JSON: ${excerpt(body)}`);
  const answer = env.memory(handle, reference.at);
  if (answer === undefined) return PENDING;
  if (answer.found) return found(answer.text);
  const why = answer.gone ?? answer.miss ?? `there is no value under the handle ${handle}`;
  return missed(reference, why, answer.gone ?? '');
}

/**
 * The same walk on a whole value, for whoever reads working memory.
 * @param at the path as {@link Reference.at} spells it; empty asks for the text itself
 * @param notes the host's truncation notes, which may stand below the whole value too
 */
export function readPath(text: string, at: string, notes: readonly string[] = []): MemoryAnswer {
  if (at === '') return { found: true, text };
  const path = scanPath(at, 0);
  if (path.end < at.length) return { found: false, miss: `${excerpt(at)} is not a path` };
  const body = trimNotes(text, notes);
  return walkJson(body, path.keys) ?? { found: false, miss: `the value is not JSON: ${excerpt(body)}` };
}

function found(text: string): Found {
  return { text, gone: '', pending: false };
}

function missed(reference: Reference, why: string, gone = ''): Found {
  if (reference.quiet) return gone === '' ? NOTHING : { text: '', gone, pending: false };
  throw new SkillyardError('REFERENCE_UNRESOLVED', `${reference.text} does not resolve: ${why}.`, {
    details: { reference: reference.text },
  });
}
