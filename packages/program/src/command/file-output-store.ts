import { type FileHandle, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { OutputMeter } from './output-meter.ts';
import { DEFAULT_OUTPUT_BYTES, type OutputStore } from './output-store.ts';

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
 * command has left there is replaced. A reference is given only when the bytes are on the disk.
 */
export function fileOutputStore(options: FileOutputOptions): OutputStore {
  const { folder, path, maxBytes = DEFAULT_OUTPUT_BYTES } = options;
  return {
    keep: async (name, chunks) => {
      const ref = `${path}.${name}`;
      const file = join(folder, ref);
      await ownFolder(dirname(file));
      await rm(file, { force: true });
      const handle = await open(file, 'wx', 0o600);
      try {
        return { ref, encoding: 'raw', ...(await write(handle, chunks, maxBytes)) };
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      } finally {
        await handle.close();
      }
    },
  };
}

async function write(
  handle: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<ReturnType<OutputMeter['measure']>> {
  const meter = new OutputMeter(maxBytes);
  for await (const chunk of chunks) await handle.writeFile(meter.take(chunk));
  await handle.sync();
  return meter.measure();
}

async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (found.isDirectory()) return;
  throw new ProgramError('COMMAND_FAILED', `cannot keep output in ${folder}: it is a link; remove it`);
}
