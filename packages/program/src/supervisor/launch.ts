import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { guardGroup, isErrno, killGroup } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';
import { type Manifest, type ProgramCommand, programCommand } from './manifest.ts';
import { SUPERVISOR_VERSION } from './supervisor-version.ts';

/** How long one run of a program may take. */
const PROGRAM_TIMEOUT_MS = 300_000;

/** What one run of a program may print on stdout. */
const MAX_PROGRAM_OUTPUT_BYTES = 64 * 1024 * 1024;

type Program = ChildProcessByStdio<null, Readable, Readable>;

/** How long is read on when the program and its group are dead: what has left the group may hold the pipes. */
const DRAIN_MS = 1_000;

/** One run of a program, from its top. */
export interface Launch {
  /** Of the skill, absolute. */
  readonly folder: string;
  readonly manifest: Manifest | null;
  readonly journal: string;
  /** The whole environment of the program, but for what the protocol adds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Five minutes when it is not given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** 64 MiB when it is not given. */
  readonly maxBytes?: number;
  onStderr(text: string): void;
}

/**
 * Runs a program once, with a journal.
 *
 * The program has a process group of its own, and all of it ends with the program, at its time limit, or with us.
 * @returns what it printed on stdout
 * @throws ProgramError PROGRAM_FAILED when it did not start, failed, took too long, or printed too much; SKILL_INVALID when it is
 *   not said how it is started
 */
export async function launchProgram(launch: Launch): Promise<string> {
  launch.signal?.throwIfAborted();
  const command = await programCommand(launch.folder, launch.manifest, launch.env);
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-journal-'));
  try {
    const journal = join(folder, 'journal.json');
    await writeFile(journal, launch.journal, { mode: 0o600 });
    const child = start(command, journal, launch);
    const callOff = guardGroup(child, folder);
    try {
      return await outputOf(child, command[0], launch);
    } finally {
      callOff();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function start([file, ...args]: ProgramCommand, journal: string, launch: Launch): Program {
  return spawn(file, args, {
    cwd: launch.folder,
    env: {
      ...launch.env,
      YIELD_JOURNAL: journal,
      ...(launch.manifest !== null && { YIELD_SUPERVISOR_VERSION: SUPERVISOR_VERSION }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
}

async function outputOf(child: Program, file: string, launch: Launch): Promise<string> {
  const timeoutMs = launch.timeoutMs ?? PROGRAM_TIMEOUT_MS;
  const printed = new Printed(launch.maxBytes ?? MAX_PROGRAM_OUTPUT_BYTES);
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  child.stderr.setEncoding('utf8').on('data', (text: string) => launch.onStderr(text));
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    const end = await new Promise<string | null>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        if (!printed.take(chunk)) reject(printed.tooMuch());
      });
      child.once('error', (error) => reject(notStarted(file, error)));
      child.once('exit', (code, signal) => resolve(whyEnded(code, signal)));
      timer = setTimeout(() => reject(failed(`it was not done after ${timeoutMs / 1000} s`)), timeoutMs);
      onAbort = () => reject(launch.signal?.reason as Error);
      launch.signal?.addEventListener('abort', onAbort, { once: true });
    });
    killGroup(child, 'SIGKILL');
    await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
    if (end !== null) throw failed(end);
    return printed.text();
  } finally {
    clearTimeout(timer);
    launch.signal?.removeEventListener('abort', onAbort);
    killGroup(child, 'SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** What a program has printed so far, as long as it is not too much. */
class Printed {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) this.#chunks.push(chunk);
    return this.#bytes <= this.#maxBytes;
  }

  text(): string {
    if (this.#bytes > this.#maxBytes) throw this.tooMuch();
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(this.#chunks));
    } catch (error) {
      throw failed('what it printed on stdout is no UTF-8', error);
    }
  }

  tooMuch(): ProgramError {
    return failed(`it printed more than ${this.#maxBytes} bytes on stdout`);
  }
}

/** null: as it should. */
function whyEnded(code: number | null, signal: string | null): string | null {
  if (code === 0) return null;
  return code === null ? `signal: ${signal}` : `exit status ${code}`;
}

function notStarted(file: string, error: Error): ProgramError {
  if (!isErrno(error, 'ENOENT')) return failed(error.message, error);
  const why = file.includes('/')
    ? `fork/exec ${file}: no such file or directory`
    : `exec: "${file}": executable file not found in $PATH`;
  return failed(why, error, `install ${file}, or name another program in "run" of skill.json`);
}

function failed(why: string, cause?: unknown, hint?: string): ProgramError {
  return new ProgramError('PROGRAM_FAILED', `skill program failed: ${why}`, {
    cause,
    ...(hint !== undefined && { hint }),
  });
}
