import type { AssetJob, AssetsConfig, AssetSource } from '@skillyard/contracts';
import { join, resolve } from 'node:path';
import { namesHint } from '../near-names.ts';
import type { Environment } from '../redaction.ts';
import { unavailable } from './asset-failure.ts';
import { parseGitRef } from './git-ref.ts';
import { gitRemote } from './git-remote.ts';
import { GitRepository } from './git-repository.ts';
import type { SourceReader } from './source-reader.ts';

export interface GitSourceOptions {
  readonly repositories: NonNullable<AssetsConfig['git']>;
  readonly cacheDir: string | undefined;
  /** Relative paths of the configuration start here. */
  readonly baseDir: string;
  readonly env: Environment;
  readonly maxBytes: number;
}

/** `source: git`: files of the repositories that the configuration names, as they are on a branch. */
export class GitSource implements SourceReader {
  readonly #options: GitSourceOptions;
  readonly #open = new Map<string, GitRepository>();

  constructor(options: GitSourceOptions) {
    this.#options = options;
  }

  placeOf({ ref }: AssetSource): string {
    const parsed = parseGitRef(ref);
    const config = 'problem' in parsed ? undefined : this.#config(parsed.project);
    return config === undefined ? '' : `${config.url} ${config.ref_prefix ?? ''}`;
  }

  async read({ name, asset }: AssetJob, signal: AbortSignal): Promise<string> {
    const ref = parseGitRef(asset.ref);
    if ('problem' in ref) {
      throw unavailable(
        `The ref of asset "${name}" cannot be used: ${ref.problem}. Write it as project@branch:path/of/file.`,
      );
    }
    const what = `Asset "${name}" (${asset.ref})`;
    return this.#repository(name, ref.project).read({ what, branch: ref.branch, path: ref.path }, signal);
  }

  #repository(name: string, project: string): GitRepository {
    const known = this.#open.get(project);
    if (known !== undefined) return known;
    const { baseDir, env, maxBytes, repositories } = this.#options;
    const config = this.#config(project);
    if (config === undefined) {
      throw unavailable(
        `Asset "${name}" comes from the repository "${project}", which is not under assets.git. ${namesHint(project, Object.keys(repositories), 'repositories')}`,
      );
    }
    const remote = gitRemote(project, config, baseDir, env);
    const repository = new GitRepository(remote, this.#cacheDir(), maxBytes);
    this.#open.set(project, repository);
    return repository;
  }

  #config(project: string): NonNullable<AssetsConfig['git']>[string] | undefined {
    const { repositories } = this.#options;
    return Object.hasOwn(repositories, project) ? repositories[project] : undefined;
  }

  /** Not in the system's folder for temporary files: another user could have laid something out there. */
  #cacheDir(): string {
    const { baseDir, cacheDir, env } = this.#options;
    if (cacheDir !== undefined) return resolve(baseDir, cacheDir);
    const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
    const cache = env['XDG_CACHE_HOME'] ?? (home === '' ? '' : join(home, '.cache'));
    if (cache !== '') return join(cache, 'skillyard', 'git');
    throw unavailable('There is no folder for copies of repositories. Name one in assets.cache_dir.');
  }
}
