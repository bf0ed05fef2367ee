import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** The two pipes that a command writes to. */
export interface OutputPipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Descriptors for the command, in the order of its streams. */
  readonly ends: readonly [stdout: number, stderr: number];
  /** Gives up our copies of these: a stream ends when nobody has one any more. */
  closeEnds(): void;
}

const run = promisify(execFile);
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/**
 * Makes pipes as a shell makes them. What Node makes are sockets, which nothing can open by a name: with them a command that
 * writes to `/dev/stderr` or `/dev/stdout` fails.
 */
export async function openOutputPipes(): Promise<OutputPipes> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-command-'));
  try {
    const paths = [join(folder, 'stdout'), join(folder, 'stderr')] as const;
    await run('mkfifo', ['-m', '600', ...paths]);
    const [stdout, stderr] = [openPipe(paths[0]), openPipe(paths[1])];
    return {
      stdout: stdout.reader,
      stderr: stderr.reader,
      ends: [stdout.end, stderr.end],
      closeEnds: () => {
        closeSync(stdout.end);
        closeSync(stderr.end);
      },
    };
  } finally {
    // Open pipes need no names.
    await rm(folder, { recursive: true, force: true });
  }
}

function openPipe(path: string): { reader: Readable; end: number } {
  // In this order: the end to write to waits for a reader, and the one to read from need not wait for a writer.
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  const end = openSync(path, O_WRONLY);
  return { reader: new Socket({ fd, readable: true, writable: false }), end };
}
