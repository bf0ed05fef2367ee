import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { CommandResult } from '@skillyard/contracts';
import { type Captured, captureOutput } from './capture-output.ts';
import { notStarted, startCommand } from './command-process.ts';
import type { CommandOptions } from './command-options.ts';
import { endProcesses } from './end-processes.ts';

/** A timer of Node that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What the background of a command that has ended has left to say something. */
const GRACE_MS = 500;
/**
 * How long is read on when everything that was found is dead: somebody who was not found may hold the pipes, and a slow store
 * may not have taken yet what is in them.
 */
const DRAIN_MS = 5000;
const LONGEST_COMPLAINT = 500;

/**
 * Runs a command and says what came of it.
 *
 * R1 Nothing that the command has started outlives this call: not its background, nor what has left its group.
 * R2 Its output is read as fast as the store takes it, and no faster: memory stays the same whatever is written.
 * R3 A time limit is a result, with the output so far. Failing to start, a store that fails and an abort are errors.
 * @throws ProgramError COMMAND_FAILED when it could not be started; what the store throws; what the signal was aborted with
 */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const mark = randomBytes(16).toString('hex');
  const { child, exited, stdout, stderr, said, callOff } = await startCommand(options, mark);
  const captures = [
    captureOutput('stdout', stdout, options.output),
    captureOutput('stderr', stderr, options.output),
  ] as const;
  const reading = Promise.all(captures);
  const complaint = complaintOf(said);
  try {
    const end = await endOf(exited, reading, options);
    // What is ready ends this at once; a background that holds the pipes open may go on for a moment.
    if (!end.timedOut) await within(GRACE_MS, reading);
    await endProcesses(child, mark);
    await within(DRAIN_MS, Promise.all([reading, complaint]));
    for (const stream of [stdout, stderr, said]) stream.destroy();
    const refused = await complaint;
    if (refused !== '') throw notStarted(options, new Error(`a limit cannot be set: ${refused}`));
    return resultOf(end, await reading);
  } catch (error) {
    // First: an output that ends because its command is killed would be kept.
    const reason = error instanceof Error ? error : new Error(String(error));
    stdout.destroy(reason);
    stderr.destroy(reason);
    await endProcesses(child, mark);
    // The store has removed what it had begun.
    await Promise.allSettled(captures);
    throw error;
  } finally {
    said.destroy();
    callOff();
  }
}

/** What was said before the command began: nothing, but for a limit that cannot be set. */
function complaintOf(said: Readable): Promise<string> {
  let complaint = '';
  said.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, LONGEST_COMPLAINT);
  });
  return new Promise((resolve) => {
    const end = (): void => resolve(complaint.trim());
    // Killed at its other end, it may end with an error: nothing was said then either.
    for (const event of ['end', 'error', 'close']) said.on(event, end);
  });
}

interface End {
  readonly exitCode: number;
  readonly timedOut: boolean;
}

async function endOf(
  exited: Promise<number>,
  reading: Promise<unknown>,
  { signal, timeoutMs }: CommandOptions,
): Promise<End> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    return await new Promise<End>((resolve, reject) => {
      exited.then((exitCode) => resolve({ exitCode, timedOut: false }), reject);
      reading.catch(reject);
      const limitMs = Math.min(timeoutMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => resolve({ exitCode: -1, timedOut: true }), limitMs);
      onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits for something, but not for long. */
async function within(ms: number, awaited: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([awaited, over]);
  clearTimeout(timer);
}

/** The keys stand in the order of the protocol: a result is kept as text. */
function resultOf(
  { exitCode, timedOut }: End,
  [stdout, stderr]: readonly [Captured, Captured],
): CommandResult {
  return {
    exit_code: exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    ...(timedOut && { timed_out: true }),
    ...(stdout.ref !== undefined && { stdout_ref: stdout.ref }),
    ...(stderr.ref !== undefined && { stderr_ref: stderr.ref }),
  };
}
