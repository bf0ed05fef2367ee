import type { OutputStore } from './output-store.ts';

export interface FileOutputOptions {
  /** Absolute: the folder of the program. References are relative to it. */
  readonly folder: string;
  /** Below it, with `/`, without the name of the stream: `.yield/runs/<run id>.out/<sequence>`. */
  readonly path: string;
  /** Of one stream; 128 MiB when absent. */
  readonly maxBytes?: number | undefined;
}

/**
 * Keeps streams as files that only their owner reads, `<path>.stdout` and `<path>.stderr`. What an earlier run of the same
 * command has left there is replaced.
 */
export function fileOutputStore(options: FileOutputOptions): OutputStore {
  throw new Error(`not written yet: ${options.path}`);
}
