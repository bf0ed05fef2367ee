import type { AssetJob, AssetSource, StepResult } from '@skillyard/contracts';
import { createHash } from 'node:crypto';
import type { Executor, JobContext } from '../executor.ts';
import { namesHint } from '../near-names.ts';
import { type Outcome, settle } from '../step-failure.ts';
import { unavailable } from './asset-failure.ts';
import type { FetchRunner } from './fetch-policy.ts';
import type { SourceReader } from './source-reader.ts';

/** What an asset comes from when it does not say. */
const DEFAULT_SOURCE = 'file';

/** Answers with the text of a declared asset: its content as it is, or what its source gives under its policy. */
export class AssetExecutor implements Executor<AssetJob> {
  readonly #sources: ReadonlyMap<string, SourceReader>;
  readonly #runner: FetchRunner;

  /** @param sources by the name that `source` calls them */
  constructor(sources: ReadonlyMap<string, SourceReader>, runner: FetchRunner) {
    this.#sources = sources;
    this.#runner = runner;
  }

  execute(job: AssetJob, context: JobContext): Promise<StepResult> {
    return settle(job, context, () => this.#answer(job, context.signal));
  }

  async #answer(job: AssetJob, signal: AbortSignal): Promise<Outcome> {
    const { name, asset } = job;
    if (asset.content.trim() !== '') return { status: 'ok', text: asset.content };
    const kind = asset.source === '' ? DEFAULT_SOURCE : asset.source;
    const source = this.#sources.get(kind);
    return this.#runner.fetch({
      key: copyKey(kind, source, asset),
      what: `Asset "${name}"`,
      policy: asset.fetch,
      signal,
      read: async (limited) => {
        if (source === undefined) throw this.#noSource(name, kind);
        return source.read(job, limited);
      },
    });
  }

  #noSource(name: string, kind: string): Error {
    const known = [...this.#sources.keys(), 'inline'];
    const problem =
      kind === 'inline'
        ? 'says source: inline, and has no content. Write the text under content:, or name the source of its ref'
        : `comes from the source "${kind}", which is not configured`;
    return unavailable(`Asset "${name}" ${problem}. ${namesHint(kind, known, 'sources')}`);
  }
}

/** Short, so that it serves as a key of a shared store; what a ref means elsewhere has another key. */
function copyKey(kind: string, source: SourceReader | undefined, asset: AssetSource): string {
  const parts = [kind, source?.placeOf(asset) ?? '', asset.ref, asset.args];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
