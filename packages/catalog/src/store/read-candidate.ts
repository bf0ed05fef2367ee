import { type FileHandle, open } from 'node:fs/promises';
import { constants } from 'node:fs';
import type { Diagnostic } from '@skillyard/contracts';
import { inspectSkill, type Skill } from '@skillyard/engine';
import type { Candidate } from './list-candidates.ts';
import { skillHash, type StoredSkill } from './skill-version.ts';
import { readUpTo } from '../file/read-regular-file.ts';

/** The state a file was read in; another state means that it has to be read again. */
export interface FileState {
  readonly key: string;
  readonly modifiedAtMs: number;
  readonly bytes: number;
}

/** What a file came to. */
export type ReadResult =
  /** There is no such file, or it is no regular one. */
  | { readonly kind: 'absent' }
  /** It changed while it was read. */
  | { readonly kind: 'unsettled' }
  /** It is as it was when it was read last. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'loaded'; readonly state: FileState; readonly skill: StoredSkill }
  | {
      readonly kind: 'refused';
      readonly state: FileState;
      /** What the skill seems to be called; null for a file that is no skill at all. */
      readonly name: string | null;
      readonly diagnostics: readonly Diagnostic[];
    };

/** Larger files are no skills; reading them to learn that would cost more than it tells. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads and loads a file, once and whole: a file that changes under the reading is told from one that does not load.
 * Never throws.
 * @param known the state in which it was read before
 */
export async function readCandidate(candidate: Candidate, known: FileState | undefined): Promise<ReadResult> {
  let handle: FileHandle | undefined;
  try {
    // A pipe with nobody at its other end must not hold us up.
    handle = await open(candidate.path, constants.O_RDONLY | constants.O_NONBLOCK);
    const before = await handle.stat();
    if (!before.isFile()) return { kind: 'absent' };
    const state = stateOf(before);
    if (state.key === known?.key) return { kind: 'unchanged' };
    if (before.size > MAX_BYTES) {
      const message = `${candidate.file} has ${before.size} bytes; at most ${MAX_BYTES} are read`;
      return refusal(candidate, state, 'SKILL_TOO_LARGE', message);
    }
    const bytes = await readUpTo(handle, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES || stateOf(await handle.stat()).key !== state.key)
      return { kind: 'unsettled' };
    return load(candidate, state, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return { kind: 'absent' };
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${candidate.file} cannot be read: ${reason}`;
    // What cannot be opened has no state: it is tried again each time.
    return refusal(candidate, { key: '', modifiedAtMs: 0, bytes: 0 }, 'FILE_UNREADABLE', message);
  } finally {
    await handle?.close();
  }
}

function stateOf(found: { ino: number; size: number; mtimeMs: number; ctimeMs: number }): FileState {
  const key = [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(':');
  return { key, modifiedAtMs: found.mtimeMs, bytes: found.size };
}

function load(candidate: Candidate, state: FileState, bytes: Buffer): ReadResult {
  const { path, file } = candidate;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refusal(candidate, state, 'FILE_UNREADABLE', `${file} is not UTF-8 text; save it as UTF-8`);
  }
  const inspection = inspectSkill(text, { file });
  if (!inspection.parsed) {
    return { kind: 'refused', state, name: candidate.fallback, diagnostics: inspection.diagnostics };
  }
  const { skill } = inspection;
  const diagnostics = [...inspection.header, ...inspection.flow];
  if (diagnostics.length > 0) return { kind: 'refused', state, name: nameOf(skill), diagnostics };
  const stored = { name: skill.name, hash: skillHash(text), version: skill.skillVersion, path, file, text };
  return { kind: 'loaded', state, skill: { ...stored, skill } };
}

function nameOf({ name }: Skill): string | null {
  return name === '' ? null : name;
}

function refusal({ file, fallback }: Candidate, state: FileState, code: string, message: string): ReadResult {
  return {
    kind: 'refused',
    state,
    name: fallback,
    diagnostics: [{ code, severity: 'error', message, file }],
  };
}
