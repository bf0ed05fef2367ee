import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isErrno } from '@skillyard/processes';
import { KitError } from '../kit-error.ts';
import {
  checkNamedFolder,
  checkPrivateFolder,
  createPrivateFile,
  openPrivateFile,
  readWhole,
} from './private-file.ts';
import { isSessionId, newSessionId } from './session-id.ts';
import { isHeaderLine, parseSessionLine, type SessionHeader, type SessionLine } from './session-line.ts';
import { lockSession } from './session-lock.ts';
import type { ActionJournal, HeldSession, SessionStore } from './session-store.ts';

/**
 * Sessions as files of a folder: `skill-kit-<id>.jsonl`, which agents read and append to, and beside it the folder
 * `skill-kit-<id>.state`, which is ours: the lock, the journal of actions and the hash of the definition.
 * @param folder must exist; null: `skill-kit-sessions` in the folder for temporary files, made when it is not there
 */
export function fileSessionStore(folder: string | null): SessionStore {
  const at = resolve(folder ?? join(tmpdir(), 'skill-kit-sessions'));
  const check = folder === null ? checkPrivateFolder : checkNamedFolder;
  return {
    create(header, definition) {
      if (folder === null) makePrivateFolder(at);
      return createSession(at, check, header, definition);
    },
    hold(id) {
      const paths = pathsOf(at, id);
      try {
        if (paths === null) throw unknown(id, at);
        check(at);
        return holdSession(paths);
      } catch (error) {
        throw isErrno(error, 'ENOENT') ? unknown(id, at) : error;
      }
    },
    remove(id) {
      const paths = pathsOf(at, id);
      if (paths === null) return;
      try {
        check(at);
        removeSession(paths);
      } catch (error) {
        if (!isErrno(error, 'ENOENT')) throw error;
      }
    },
  };
}

interface SessionPaths {
  readonly id: string;
  readonly file: string;
  readonly state: string;
}

/** null for what is no id: it must not reach a path. */
function pathsOf(folder: string, id: string): SessionPaths | null {
  if (!isSessionId(id)) return null;
  const stem = join(folder, `skill-kit-${id}`);
  return { id, file: `${stem}.jsonl`, state: `${stem}.state` };
}

function createSession(
  folder: string,
  check: (folder: string) => void,
  header: Omit<SessionHeader, 'type' | 'sessionId'>,
  definition: string,
): HeldSession {
  const id = newSessionId();
  const paths = pathsOf(folder, id) as SessionPaths;
  let descriptor: number;
  try {
    check(folder);
    descriptor = createPrivateFile(paths.file);
  } catch (error) {
    if (error instanceof KitError) throw error;
    const reason = isErrno(error, 'ENOENT') ? 'ENOENT: the folder does not exist' : messageOf(error);
    throw new KitError('SESSION_UNSAFE', `cannot create the session file ${paths.file}: ${reason}`, {
      cause: error,
    });
  }
  mkdirSync(paths.state, { mode: 0o700 });
  writeDurably(join(paths.state, 'definition'), definition);
  const release = lockSession(paths.state, id);
  const session = new FileSession(
    paths,
    descriptor,
    release,
    { type: 'header', sessionId: id, ...header },
    definition,
  );
  session.append([session.header]);
  syncFolder(folder);
  return session;
}

function holdSession(paths: SessionPaths): HeldSession {
  // The file first: whether there is such a session is not told by what was left of its state.
  const descriptor = openPrivateFile(paths.file);
  let release: (() => void) | undefined;
  try {
    makePrivateFolder(paths.state);
    release = lockSession(paths.state, paths.id);
    const [first = null] = parseLines(readWhole(descriptor));
    if (first === null || !isHeaderLine(first) || first.sessionId !== paths.id)
      throw new KitError(
        'SESSION_UNKNOWN',
        `${paths.file} does not begin with the header of session "${paths.id}"`,
      );
    return new FileSession(paths, descriptor, release, first, readIfThere(join(paths.state, 'definition')));
  } catch (error) {
    release?.();
    closeSync(descriptor);
    throw error;
  }
}

function removeSession(paths: SessionPaths): void {
  makePrivateFolder(paths.state);
  const release = lockSession(paths.state, paths.id);
  // Of a link that somebody planted this removes the link.
  rmSync(paths.file, { force: true });
  release();
  rmSync(paths.state, { recursive: true, force: true });
}

class FileSession implements HeldSession {
  readonly id: string;
  readonly file: string;
  readonly header: SessionHeader;
  readonly definition: string | null;
  readonly #descriptor: number;
  readonly #journal: string;
  readonly #unlock: () => void;
  #text: string;
  #released = false;

  constructor(
    paths: SessionPaths,
    descriptor: number,
    unlock: () => void,
    header: SessionHeader,
    definition: string | null,
  ) {
    this.id = paths.id;
    this.file = paths.file;
    this.header = header;
    this.definition = definition;
    this.#descriptor = descriptor;
    this.#journal = join(paths.state, 'journal.json');
    this.#unlock = unlock;
    this.#text = readWhole(descriptor);
  }

  get lines(): readonly (SessionLine | null)[] {
    return parseLines(this.#text);
  }

  append(lines: readonly SessionLine[]): number {
    const texts = lines.map((line) => JSON.stringify(line));
    // A line that a crash or a hasty agent has left without an end stays a line of its own, and is passed over.
    const begin = this.#text === '' || this.#text.endsWith('\n') ? '' : '\n';
    writeFileSync(this.#descriptor, `${begin}${texts.join('\n')}\n`);
    fsyncSync(this.#descriptor);
    this.#text = readWhole(this.#descriptor);
    // Agents append while we write; what counts is where our line came to lie.
    return this.#text.split('\n').lastIndexOf(texts.at(-1) ?? '') + 1;
  }

  journal(): ActionJournal | null {
    const text = readIfThere(this.#journal);
    return text === null ? null : (JSON.parse(text) as ActionJournal);
  }

  writeJournal(journal: ActionJournal | null): void {
    if (journal === null) rmSync(this.#journal, { force: true });
    else writeDurably(this.#journal, JSON.stringify(journal));
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    closeSync(this.#descriptor);
    this.#unlock();
  }
}

function parseLines(text: string): (SessionLine | null)[] {
  const texts = text.split('\n');
  // What follows the last line feed is a line only when it is something.
  if (texts.at(-1) === '') texts.pop();
  return texts.map(parseSessionLine);
}

function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  checkPrivateFolder(path);
}

/** Replaces a file so that after a crash there is the old content or the new one. */
function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`;
  // Left by a crash, if it is there: we hold the lock.
  rmSync(draft, { force: true });
  const descriptor = createPrivateFile(draft);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  // Windows cannot open a folder, and needs not.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readIfThere(path: string): string | null {
  try {
    const descriptor = openPrivateFile(path);
    try {
      return readWhole(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

function unknown(id: string, folder: string): KitError {
  return new KitError(
    'SESSION_UNKNOWN',
    `unknown session "${id}": there is none in ${folder}; begin one with --session new`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
