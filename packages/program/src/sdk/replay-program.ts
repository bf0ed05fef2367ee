import process from 'node:process';
import type { Program } from './context.ts';
import { contextOf } from './primitives.ts';
import type { RecordedJournal } from './recorded-journal.ts';
import { Replay } from './replay.ts';

/**
 * Runs a program once, from the top, in this process.
 * @param journal as the program is given it
 * @returns the document that the program comes to, one line of JSON
 * @throws whatever the program throws, unless what it came to was decided before that
 */
export async function replayProgram<Result>(
  program: Program<Result>,
  journal: RecordedJournal,
): Promise<string> {
  const replay = new Replay(journal);
  try {
    const result: unknown = program(contextOf(replay));
    if (isThenable(result)) await settled(result);
    return replay.end({ status: 'completed', result });
  } catch (error) {
    if (replay.output === null) throw error;
    return replay.output;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Types forbid it. What comes out of it is no result, but an operation that it reaches must not be lost. */
async function settled(result: PromiseLike<unknown>): Promise<void> {
  process.emitWarning(
    'the program is async, so its result is lost: write it without async and await, operations give their answers at once',
    { code: 'PROGRAM_ASYNC' },
  );
  await result;
}
