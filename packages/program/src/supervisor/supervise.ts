import { ProgramError } from '../program-error.ts';
import { textDigest } from '../protocol/digest.ts';
import { compactJson } from '../protocol/json-text.ts';
import { readResponse, type ResponseText } from '../protocol/read-response.ts';
import { acceptResponse, bindSources } from './accept-response.ts';
import { advance } from './advance.ts';
import { runFiles } from './run-files.ts';
import { readLog } from './run-log.ts';
import { RunState } from './run-state.ts';
import { runsFolder, withNewRun, withRun } from './supervised-run.ts';
import type { Progress, Supervision } from './supervision.ts';

/**
 * Starts a run and supervises it until it needs an answer or has ended.
 * @param input the bytes of the input; null: there is none
 * @throws ProgramError
 */
export function startRun(supervision: Supervision, input: Uint8Array | null): Promise<Progress> {
  return withNewRun(supervision, input, (run) => advance(run, 'refuse'));
}

/** What a run is taken up with. */
export interface ResumeOptions {
  /** The text of a response envelope; null: the run goes on from where it is. */
  readonly response: string | null;
  /** The sources may have changed since the run was bound to them. */
  readonly acceptNewDigest?: boolean;
  /** A command that may have been run already is run once more. */
  readonly runAgain?: boolean;
}

/**
 * Takes a run up again, with a response or without.
 * @throws ProgramError REJECTED, IN_FLIGHT, LOCKED, DIVERGED, and what a run throws
 */
export function resumeRun(
  supervision: Supervision,
  runId: string,
  { response, acceptNewDigest = false, runAgain = false }: ResumeOptions,
): Promise<Progress> {
  return withRun(supervision, runId, async (run) => {
    const read = response === null ? null : readResponse(response);
    await bindSources(run, acceptNewDigest);
    if (read !== null) acceptResponse(run, read);
    return advance(run, runAgain ? 'run-again' : 'refuse');
  });
}

/** An answer without its envelope: what was typed to a question, or the JSON text of a result. */
export type Answer = { readonly value: string } | { readonly resultJson: string };

/**
 * Answers the operation that a run waits for.
 *
 * Which one that is, is looked up before the run is held, and checked when it is: an answer is never taken for an operation that
 * whoever gave it cannot have seen.
 * @throws ProgramError as {@link resumeRun}
 */
export async function respondRun(supervision: Supervision, runId: string, answer: Answer): Promise<Progress> {
  const result = resultOf(answer);
  const state = RunState.fold(readLog(runFiles(runsFolder(supervision), runId)).records);
  const response = responseFor(state, answer, result);
  return withRun(supervision, runId, async (run) => {
    await bindSources(run, false);
    acceptResponse(run, response);
    return advance(run, 'refuse');
  });
}

function resultOf(answer: Answer): string {
  if ('value' in answer) return JSON.stringify({ value: answer.value });
  try {
    return compactJson(answer.resultJson);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hint = `${error.message}; a text is written in quotes, as in --result-json '"text"', and a question is answered by --value`;
    throw new ProgramError('USAGE', 'result is not valid JSON', { cause: error, hint });
  }
}

function responseFor(state: RunState, answer: Answer, result: string): ResponseText {
  const { runId, pending, lastAnswered } = state;
  const completed = { runId, status: 'completed', result };
  if (pending !== null) {
    const { kind, id } = pending.request;
    if ('value' in answer && kind !== 'ask_user')
      throw new ProgramError('USAGE', `--value is only valid for ask_user; use --result-json for ${kind}`);
    return { ...completed, sequence: pending.sequence, requestId: id };
  }
  if (lastAnswered === null) throw new ProgramError('REJECTED', `run ${runId} has no pending operation`);
  if (lastAnswered.resultDigest !== textDigest(result))
    throw new ProgramError(
      'REJECTED',
      `run ${runId} has no pending operation; the last response was already committed with different content`,
    );
  return { ...completed, sequence: lastAnswered.sequence, requestId: lastAnswered.requestId };
}
