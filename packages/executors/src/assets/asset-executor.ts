import { type AssetJob, SkillyardError, type StepResult } from '@skillyard/contracts';
import type { Executor, JobContext } from '../executor.ts';
import { failureOf, type Outcome, settle } from '../step-failure.ts';
import { readAssetFile } from './read-asset-file.ts';

interface Copy {
  readonly text: string;
  readonly readAtMs: number;
}

export interface AssetExecutorOptions {
  /** Folder that file assets are read below. */
  readonly root: string;
  /** The clock, for tests of the time to live. */
  readonly now?: () => number;
}

const MOST_COPIES = 200;

/**
 * Answers with the content of a declared asset: inline content as it is, a file below the root folder.
 * Other sources (a repository, an address, a tool) are not configured here and say so.
 *
 * The fetch policy: within `ttl` the last copy is used without looking; when the source cannot be had, `fail` is an
 * error, `empty` an empty text with the reason, `stale` the last copy of this process, if there is one, with the
 * reason. A file that is not there will not be there at once either, so there is nothing to retry.
 */
export class AssetExecutor implements Executor<AssetJob> {
  readonly #root: string;
  readonly #now: () => number;
  readonly #copies = new Map<string, Copy>();

  constructor(options: AssetExecutorOptions) {
    this.#root = options.root;
    this.#now = options.now ?? Date.now;
  }

  execute(job: AssetJob, context: JobContext): Promise<StepResult> {
    return settle(job, context, () => this.#answer(job));
  }

  async #answer(job: AssetJob): Promise<Outcome> {
    const { asset } = job;
    if (asset.content.trim() !== '') return { status: 'ok', text: asset.content };
    const key = `${asset.source}\n${asset.ref}`;
    const copy = this.#copies.get(key);
    if (copy !== undefined && this.#now() - copy.readAtMs < (asset.fetch?.ttlMs ?? 0)) {
      return { status: 'ok', text: copy.text };
    }
    try {
      const text = await this.#read(job);
      this.#keep(key, text);
      return { status: text === '' ? 'empty' : 'ok', text };
    } catch (error) {
      if (!SkillyardError.is(error)) throw error;
      return withoutSource(job, error, copy);
    }
  }

  async #read({ name, asset }: AssetJob): Promise<string> {
    if (asset.source === 'file' || asset.source === '') return readAssetFile(name, this.#root, asset.ref);
    throw new SkillyardError(
      'ASSET_UNAVAILABLE',
      `Asset "${name}" comes from the source "${asset.source}", which is not configured. Use content: or source: file.`,
    );
  }

  #keep(key: string, text: string): void {
    const oldest = this.#copies.keys().next();
    if (this.#copies.size >= MOST_COPIES && oldest.done !== true) this.#copies.delete(oldest.value);
    this.#copies.set(key, { text, readAtMs: this.#now() });
  }
}

/** What the policy makes of a source that cannot be had. */
function withoutSource({ asset }: AssetJob, error: SkillyardError, copy: Copy | undefined): Outcome {
  switch (asset.fetch?.onUnavailable) {
    case 'empty':
      return { status: 'empty', text: '', note: error.message };
    case 'stale': {
      if (copy === undefined) return failureOf(error);
      const since = new Date(copy.readAtMs).toISOString();
      return { status: 'ok', text: copy.text, note: `${error.message} The copy of ${since} was used.` };
    }
    case 'fail':
    case undefined:
      return failureOf(error);
  }
}
