import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KitError } from '../kit-error.ts';
import { fileSessionStore } from './file-session-store.ts';
import type { HeldSession } from './session-store.ts';

const HEADER = {
  skill: 'tea',
  host: 'generic',
  params: { leaf: 'oolong' },
  createdAt: '2026-01-01T00:00:00.000Z',
  outputMode: 'file',
};
const DONE = { type: 'done', kind: 'done', done: true, finalOutput: null } as const;

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kit-sessions-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function begin(): HeldSession {
  const session = fileSessionStore(folder).create(HEADER, 'hash');
  session.release();
  return session;
}

function codeOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return KitError.is(error) ? error.code : error;
  }
  return 'nothing was thrown';
}

describe('a session file', () => {
  it('has 32 hex digits as its id, is ours alone, and begins with its header', () => {
    const { id, file } = begin();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(file).toBe(join(folder, `skill-kit-${id}.jsonl`));
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(
      `${JSON.stringify({ type: 'header', sessionId: id, ...HEADER })}\n`,
    );
  });

  it('gives back what was written, by line', () => {
    const { id } = begin();
    const session = fileSessionStore(folder).hold(id);
    expect(session.append([{ type: 'output', step: 'brew', output: 1 }, DONE])).toBe(3);
    session.release();
    const again = fileSessionStore(folder).hold(id);
    expect(again.header.params).toEqual({ leaf: 'oolong' });
    expect(again.definition).toBe('hash');
    expect(again.lines.map((line) => line?.type)).toEqual(['header', 'output', 'done']);
    again.release();
  });

  it('keeps a line whose writing was cut off apart from those that follow', () => {
    const { id, file } = begin();
    appendFileSync(file, '{"type":"prompt","st');
    const session = fileSessionStore(folder).hold(id);
    expect(session.append([DONE])).toBe(3);
    session.release();
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.slice(1)).toEqual(['{"type":"prompt","st', JSON.stringify(DONE), '']);
  });

  it('takes a last line without its line feed', () => {
    const { id, file } = begin();
    appendFileSync(file, '{"type":"output","step":"brew","output":{}}');
    const session = fileSessionStore(folder).hold(id);
    expect(session.lines[1]).toEqual({ type: 'output', step: 'brew', output: {} });
    expect(session.append([DONE])).toBe(3);
    session.release();
  });

  it('knows where its line lies when an agent appends at the same time', () => {
    const { id, file } = begin();
    const session = fileSessionStore(folder).hold(id);
    appendFileSync(file, '{"type":"output","step":"brew","output":{}}\n');
    expect(session.append([DONE])).toBe(3);
    session.release();
  });

  it('keeps a journal until it is taken back', () => {
    const { id } = begin();
    const journal = {
      answer: { after: 1, step: 'plant', output: { rows: 2 } },
      actions: [{ step: 'plant', finished: true, result: { total: 14 } }],
    };
    const session = fileSessionStore(folder).hold(id);
    expect(session.journal()).toBeNull();
    session.writeJournal(journal);
    session.release();
    const again = fileSessionStore(folder).hold(id);
    expect(again.journal()).toEqual(journal);
    again.writeJournal(null);
    expect(again.journal()).toBeNull();
    again.release();
  });

  it('is gone after it was removed, and removing it again is no error', () => {
    const { id } = begin();
    fileSessionStore(folder).remove(id);
    expect(readdirSync(folder)).toEqual([]);
    fileSessionStore(folder).remove(id);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNKNOWN');
  });
});

describe('a session is with one holder', () => {
  it('so that a second is refused with SESSION_BUSY, and taken when the first is done', () => {
    const { id } = begin();
    const first = fileSessionStore(folder).hold(id);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_BUSY');
    expect(codeOf(() => fileSessionStore(folder).remove(id))).toBe('SESSION_BUSY');
    first.release();
    fileSessionStore(folder).hold(id).release();
  });

  it('unless a power cut has left its lock without content', () => {
    const { id, file } = begin();
    const state = file.replace('.jsonl', '.state');
    fileSessionStore(folder).hold(id).release();
    writeFileSync(join(state, 'lock.1'), '');
    fileSessionStore(folder).hold(id).release();
    expect(readdirSync(state).filter((name) => name.startsWith('lock.'))).toEqual([]);
  });

  it('unless the holder is dead', () => {
    const { id, file } = begin();
    const state = file.replace('.jsonl', '.state');
    const first = fileSessionStore(folder).hold(id);
    const lock = readdirSync(state).find((name) => name.startsWith('lock.')) ?? '';
    const holder = JSON.parse(readFileSync(join(state, lock), 'utf8')) as { startedAt: string };
    // A process with our number that began at another time: ours has died, and its number was given out again.
    writeFileSync(join(state, lock), JSON.stringify({ ...holder, startedAt: '1' }));
    const second = fileSessionStore(folder).hold(id);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_BUSY');
    second.release();
    expect(readdirSync(state).filter((name) => name.startsWith('lock.'))).toEqual([]);
    first.release();
  });
});

describe('what others plant is refused', () => {
  it.each(['x/../victim', '../victim', 'deadbeef', '', 'F'.repeat(32), `${'a'.repeat(32)}\n`])(
    'an id like %j names no session and removes nothing',
    (id) => {
      writeFileSync(join(folder, 'victim.jsonl'), 'mine');
      expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNKNOWN');
      fileSessionStore(folder).remove(id);
      expect(readdirSync(folder)).toEqual(['victim.jsonl']);
    },
  );

  it('a guessed id is unknown', () => {
    expect(codeOf(() => fileSessionStore(folder).hold('0'.repeat(32)))).toBe('SESSION_UNKNOWN');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a link in place of the session is not followed', () => {
    const { file, id } = begin();
    const elsewhere = join(folder, 'elsewhere');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const before = readFileSync(elsewhere, 'utf8');
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
    fileSessionStore(folder).remove(id);
    expect(readFileSync(elsewhere, 'utf8')).toBe(before);
  });

  it('a second name of a file of ours is no session', () => {
    const { file, id } = begin();
    linkSync(file, join(folder, 'second'));
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
  });

  it('a folder in place of the session is none', () => {
    const { file, id } = begin();
    rmSync(file);
    mkdirSync(file);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
  });

  it('a session that others may read or write is not believed', () => {
    const { file, id } = begin();
    chmodSync(file, 0o622);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
  });

  it('a link in place of the state is not followed', () => {
    const { file, id } = begin();
    const state = file.replace('.jsonl', '.state');
    rmSync(state, { recursive: true });
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
    symlinkSync(elsewhere, state);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('a link in place of the journal is not followed', () => {
    const { file, id } = begin();
    writeFileSync(join(folder, 'elsewhere'), '{}', { mode: 0o600 });
    symlinkSync(join(folder, 'elsewhere'), join(file.replace('.jsonl', '.state'), 'journal.json'));
    const session = fileSessionStore(folder).hold(id);
    expect(codeOf(() => session.journal())).toBe('SESSION_UNSAFE');
    session.release();
  });

  it('a header of another session is refused', () => {
    const one = begin();
    const two = begin();
    writeFileSync(two.file, readFileSync(one.file));
    expect(codeOf(() => fileSessionStore(folder).hold(two.id))).toBe('SESSION_UNKNOWN');
    writeFileSync(two.file, '');
    expect(codeOf(() => fileSessionStore(folder).hold(two.id))).toBe('SESSION_UNKNOWN');
  });

  it('a folder that everybody may write is refused', () => {
    chmodSync(folder, 0o777);
    expect(codeOf(() => fileSessionStore(folder).create(HEADER, 'hash'))).toBe('SESSION_UNSAFE');
    chmodSync(folder, 0o1777);
    fileSessionStore(folder).create(HEADER, 'hash').release();
  });

  it('a folder that is not there is named together with the file', () => {
    const nowhere = join(folder, 'none');
    expect(() => fileSessionStore(nowhere).create(HEADER, 'hash')).toThrow(
      /none\/skill-kit-[0-9a-f]{32}\.jsonl.*ENOENT/,
    );
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('the folder that sessions lie in when none is named', () => {
  const shared = () => join(folder, 'skill-kit-sessions');

  beforeEach(() => vi.stubEnv('TMPDIR', folder));

  it('is made for us alone', () => {
    fileSessionStore(null).create(HEADER, 'hash').release();
    expect(lstatSync(shared()).mode & 0o777).toBe(0o700);
  });

  it('is refused when others may enter it', () => {
    mkdirSync(shared(), { mode: 0o755 });
    chmodSync(shared(), 0o755);
    expect(() => fileSessionStore(null).create(HEADER, 'hash')).toThrow(
      /skill-kit-sessions has mode 755.*700/,
    );
  });

  it('is refused when it is a link', () => {
    symlinkSync(mkdtempSync(join(folder, 'elsewhere-')), shared());
    expect(codeOf(() => fileSessionStore(null).create(HEADER, 'hash'))).toBe('SESSION_UNSAFE');
  });

  it('is not made by looking for a session', () => {
    expect(codeOf(() => fileSessionStore(null).hold('0'.repeat(32)))).toBe('SESSION_UNKNOWN');
    fileSessionStore(null).remove('0'.repeat(32));
    expect(existsSync(shared())).toBe(false);
  });
});

// Only root can give files away.
describe.skipIf(process.getuid?.() !== 0)('what belongs to another user is refused', () => {
  const OTHER = 12_345;

  it('as a session', () => {
    const { file, id } = begin();
    chownSync(file, OTHER, OTHER);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
  });

  it('as the state of a session', () => {
    const { file, id } = begin();
    chownSync(file.replace('.jsonl', '.state'), OTHER, OTHER);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
  });

  it('as a folder of sessions', () => {
    const { id } = begin();
    chownSync(folder, OTHER, OTHER);
    expect(codeOf(() => fileSessionStore(folder).hold(id))).toBe('SESSION_UNSAFE');
    expect(codeOf(() => fileSessionStore(folder).create(HEADER, 'hash'))).toBe('SESSION_UNSAFE');
    expect(codeOf(() => fileSessionStore(folder).remove(id))).toBe('SESSION_UNSAFE');
  });

  it('as the folder for all', () => {
    vi.stubEnv('TMPDIR', folder);
    const shared = join(folder, 'skill-kit-sessions');
    mkdirSync(shared, { mode: 0o700 });
    chownSync(shared, OTHER, OTHER);
    expect(codeOf(() => fileSessionStore(null).create(HEADER, 'hash'))).toBe('SESSION_UNSAFE');
  });
});
