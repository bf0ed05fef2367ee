import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { naming, unavailable } from './asset-failure.ts';
import { decodeText, tooLarge } from './bounded-text.ts';
import { fetchFailure, isCacheTrouble } from './git-failure.ts';
import type { GitRemote } from './git-remote.ts';
import { type GitEnd, runGit } from './run-git.ts';
import { SharedWork } from './shared-work.ts';

/** A file of a repository. */
export interface GitFile {
  /** What messages call it. */
  readonly what: string;
  readonly branch: string;
  readonly path: string;
}

/** Our copy of the repository cannot be used now. */
class CacheTrouble extends Error {}

const LONGEST_LISTING = 64 * 1024;
const HASH_LENGTH = 12;
/** Longer than any fetch may take. */
const ABANDONED_MS = 15 * 60_000;
const LINK_MODE = '120000';

/**
 * Reads files of one repository out of a bare copy that holds the last commit of each branch that was asked for.
 *
 * G1 One fetch at a time. Callers that want a branch whose fetch has not begun share it; one that has begun may be
 *    older than their question.
 * G2 The copy may be shared with other processes, and may be deleted while nobody uses it. Where another process is in
 *    the way, or one has died and left its locks, a copy for this one read is made.
 * G3 What is read is the content of a file: a folder, a link or a submodule is refused.
 */
export class GitRepository {
  readonly #remote: GitRemote;
  readonly #cacheDir: string;
  readonly #maxBytes: number;
  readonly #fetches = new SharedWork<void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(remote: GitRemote, cacheDir: string, maxBytes: number) {
    this.#remote = remote;
    this.#cacheDir = cacheDir;
    this.#maxBytes = maxBytes;
  }

  async read(file: GitFile, signal: AbortSignal): Promise<string> {
    const { project, url } = this.#remote;
    const folder = join(this.#cacheDir, `${project.replaceAll(/[^\w-]/g, '_')}-${shortHash(url)}.git`);
    try {
      await naming(file.what, this.#fetchTogether(folder, file.branch, signal));
      return await this.#show(folder, file, signal);
    } catch (error) {
      if (!(error instanceof CacheTrouble)) throw error;
    }
    await removeAbandonedLocks(folder);
    return this.#readApart(file, signal);
  }

  #fetchTogether(folder: string, branch: string, signal: AbortSignal): Promise<void> {
    return this.#fetches.run(branch, signal, (shared, close) =>
      this.#afterOthers(async () => {
        close();
        await this.#prepare(folder, shared);
        await this.#fetch(folder, branch, shared);
      }),
    );
  }

  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #readApart(file: GitFile, signal: AbortSignal): Promise<string> {
    const folder = await mkdtemp(join(this.#cacheDir, 'apart-'));
    try {
      await this.#git(folder, ['init', '--quiet', '--bare', '--', folder], signal);
      await naming(file.what, this.#fetch(folder, file.branch, signal));
      return await this.#show(folder, file, signal);
    } catch (error) {
      if (!(error instanceof CacheTrouble)) throw error;
      throw unavailable(`${file.what} cannot be read from the copy of its repository: ${error.message}.`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Makes the copy aside and moves it into place, so that there is never half of one. */
  async #prepare(folder: string, signal: AbortSignal): Promise<void> {
    if (await exists(folder)) return;
    const fresh = await makeFolder(this.#cacheDir);
    try {
      const { code, stderr } = await this.#git(fresh, ['init', '--quiet', '--bare', '--', fresh], signal);
      if (code !== 0) throw unavailable(`git cannot set up a folder in ${this.#cacheDir}: ${stderr.trim()}`);
      await rename(fresh, folder);
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      // Another process was faster.
      if (!(await exists(folder))) throw error;
    }
  }

  async #fetch(folder: string, branch: string, signal: AbortSignal): Promise<void> {
    const { url, refPrefix } = this.#remote;
    const refspec = `+${refPrefix}${branch}:${this.#localRef(branch)}`;
    const flags = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const { code, stderr } = await this.#git(folder, ['fetch', ...flags, '--', url, refspec], signal);
    if (code === 0) return;
    if (isCacheTrouble(stderr)) throw new CacheTrouble(stderr.trim());
    throw fetchFailure(this.#remote, branch, stderr);
  }

  async #show(folder: string, { what, branch, path }: GitFile, signal: AbortSignal): Promise<string> {
    const maxBytes = this.#maxBytes;
    const listing = await this.#git(
      folder,
      ['ls-tree', '-l', '-z', '--full-tree', this.#localRef(branch), '--', path],
      signal,
    );
    if (listing.code !== 0) throw new CacheTrouble(listing.stderr.trim());
    // `<mode> <type> <object> <size>\t<path>\0`, and nothing at all when it is not there.
    const [entry = ''] = listing.stdout.toString('utf8').split('\t', 1);
    const [mode = '', type = '', object = '', size = ''] = entry.split(/ +/);
    if (type === '') {
      throw unavailable(`${what}: there is no such file on this branch. Check the path in the ref.`);
    }
    if (type !== 'blob' || mode === LINK_MODE) {
      const kind = type === 'tree' ? 'a folder' : type === 'commit' ? 'a submodule' : 'a link';
      throw unavailable(`${what} is ${kind}, not a file. Name the file itself.`);
    }
    if (Number(size) > maxBytes) throw tooLarge(what, `${size} bytes`, maxBytes);
    const blob = await this.#git(folder, ['cat-file', 'blob', object], signal, maxBytes);
    if (blob.tooMuch) throw tooLarge(what, `more than ${maxBytes} bytes`, maxBytes);
    if (blob.code !== 0) throw new CacheTrouble(blob.stderr.trim());
    return decodeText(what, blob.stdout);
  }

  /** A name of our own: `a` and `a/b` may follow each other on a remote, and cannot stand side by side here. */
  #localRef(branch: string): string {
    return `refs/skillyard/${shortHash(this.#remote.refPrefix + branch)}`;
  }

  #git(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    maxBytes = LONGEST_LISTING,
  ): Promise<GitEnd> {
    return runGit([`--git-dir=${folder}`, ...args], { env: this.#remote.env, signal, maxBytes });
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}

async function makeFolder(cacheDir: string): Promise<string> {
  try {
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(cacheDir, 'new-'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unavailable(
      `Copies of repositories cannot be kept in ${cacheDir}: ${reason}. Name a folder that can be written to in assets.cache_dir.`,
      { cause: error },
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A process that was killed in the middle leaves its locks behind, and git never takes them away. */
async function removeAbandonedLocks(folder: string): Promise<void> {
  const before = Date.now() - ABANDONED_MS;
  for (const place of [folder, join(folder, 'refs', 'skillyard')]) {
    const names = await readdir(place).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.lock'))) {
      const status = await stat(join(place, name)).catch(() => undefined);
      if (status !== undefined && status.mtimeMs < before) await rm(join(place, name), { force: true });
    }
  }
}
