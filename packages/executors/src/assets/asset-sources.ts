import type { AssetsConfig } from '@skillyard/contracts';
import { resolve } from 'node:path';
import type { Environment } from '../redaction.ts';
import type { ToolServers } from '../tools/tool-servers.ts';
import { DEFAULT_MAX_BYTES } from './bounded-text.ts';
import { FileSource } from './file-source.ts';
import { GitSource } from './git-source.ts';
import { HttpSource } from './http-source.ts';
import { McpSource } from './mcp-source.ts';
import type { SourceReader } from './source-reader.ts';

export interface AssetSourcesOptions {
  readonly config: AssetsConfig;
  readonly env: Environment;
  /** Relative paths of the configuration start here. */
  readonly baseDir: string;
  /** Folder that files are read below when the configuration names none. */
  readonly root: string;
  readonly servers: ToolServers;
}

/** The places assets come from, by the name that `source` calls them. Nothing is read or connected to yet. */
export function assetSources(options: AssetSourcesOptions): ReadonlyMap<string, SourceReader> {
  const { config, env, baseDir, servers } = options;
  const maxBytes = config.max_bytes ?? DEFAULT_MAX_BYTES;
  const root = config.root === undefined ? options.root : resolve(baseDir, config.root);
  return new Map<string, SourceReader>([
    ['file', new FileSource(root, maxBytes)],
    ['http', new HttpSource({ config: config.http, env, maxBytes })],
    [
      'git',
      new GitSource({ repositories: config.git ?? {}, cacheDir: config.cache_dir, baseDir, env, maxBytes }),
    ],
    ['mcp', new McpSource(servers, maxBytes)],
  ]);
}
