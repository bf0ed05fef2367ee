import { ProgramError } from '../program-error.ts';
import { textDigest } from '../protocol/digest.ts';
import type { EnvelopeText } from '../protocol/program-output.ts';
import type { ResponseText } from '../protocol/read-response.ts';
import { skillDigest } from '../skill/skill-digest.ts';
import { recordResult } from './advance.ts';
import { checkResult, COMMAND_RESULT_SCHEMA } from './result-check.ts';
import type { HeldRun } from './supervised-run.ts';

const SHOWN_DIGEST = 'sha256:'.length + 12;
/** A log does not grow by what was not taken, however long that was. */
const LONGEST_DETAIL = 2_000;

/**
 * Binds a run to the sources as they are.
 * @throws ProgramError REJECTED `digest-mismatch` when they have changed, and nobody accepts that
 */
export async function bindSources(run: HeldRun, acceptNewDigest: boolean): Promise<void> {
  const bound = run.state.boundDigest;
  const current = await skillDigest(run.supervision.folder);
  if (current === bound) return;
  if (acceptNewDigest) return run.append('digest.migrated', JSON.stringify({ from: bound, to: current }));
  const shown = (digest: string) => `${digest.slice(0, SHOWN_DIGEST)}…`;
  reject(
    run,
    'digest-mismatch',
    `skill source changed since the run was bound (bound ${shown(bound)}, current ${shown(current)}); re-run with --accept-new-digest to migrate explicitly`,
    `\`resume ${run.state.runId} --accept-new-digest\` goes on with the sources as they are now; after that, answer again`,
  );
}

/**
 * Takes the answer to the operation that a run waits for. The very answer that was taken before is taken once more and changes
 * nothing: who sent it may not have heard of that.
 * @throws ProgramError REJECTED
 */
export function acceptResponse(run: HeldRun, response: ResponseText): void {
  if (isExactRetry(run, response)) return;
  const pending = refuseMisplaced(run, response);
  if (response.status === 'failed')
    reject(
      run,
      'operation-failed',
      `request ${JSON.stringify(pending.request.id)} was answered as failed; it stays pending until it is answered as completed`,
    );
  if (response.status !== 'completed')
    reject(
      run,
      'unknown-status',
      `status ${JSON.stringify(response.status)} is neither completed nor failed`,
    );
  const problem = problemOf(pending, response.result);
  if (problem !== null) reject(run, 'schema-invalid', problem);
  recordResult(run, pending, response.result ?? 'null');
}

function isExactRetry(run: HeldRun, response: ResponseText): boolean {
  const answered = run.state.completionOf(response.sequence);
  return (
    answered !== null &&
    response.runId === run.state.runId &&
    response.status === 'completed' &&
    answered.requestId === response.requestId &&
    isSameResult(answered.resultDigest, response.result)
  );
}

/** @returns the operation that the response is for */
function refuseMisplaced(run: HeldRun, response: ResponseText): EnvelopeText {
  const { runId, ending, pending } = run.state;
  if (ending !== null) reject(run, 'run-closed', `run ${runId} already reached a terminal state`);
  if (response.runId !== runId)
    reject(run, 'wrong-run', `response is for run ${response.runId}, this run is ${runId}`);
  if (pending === null) reject(run, 'no-pending-operation', `run ${runId} has no pending operation`);
  if (response.sequence !== pending.sequence) refuseSequence(run, response, pending);
  if (response.requestId !== pending.request.id)
    reject(
      run,
      'wrong-request',
      `response is for request ${JSON.stringify(response.requestId)} but the pending request is ${JSON.stringify(pending.request.id)}`,
    );
  return pending;
}

function refuseSequence(run: HeldRun, response: ResponseText, pending: EnvelopeText): never {
  const { sequence } = response;
  const answered = run.state.completionOf(sequence);
  if (answered === null)
    reject(
      run,
      'stale-response',
      `response targets sequence ${sequence} but the pending operation is sequence ${pending.sequence}`,
    );
  reject(
    run,
    'duplicate-response',
    isSameResult(answered.resultDigest, response.result)
      ? `sequence ${sequence} already completed with identical content`
      : `sequence ${sequence} already completed with DIFFERENT content; refusing to rewrite history`,
  );
}

function isSameResult(digest: string, result: string | null): boolean {
  return digest === textDigest(result ?? 'null');
}

/** A command has no schema of its own: what may be recorded of it is what a command comes to. */
function problemOf({ request }: EnvelopeText, result: string | null): string | null {
  const schema = request.kind === 'run_command' ? COMMAND_RESULT_SCHEMA : request.outputSchema;
  if (schema === null) return null;
  return result === null ? 'result is not valid JSON: EOF' : checkResult(schema, result);
}

/** @throws ProgramError REJECTED, always */
function reject(run: HeldRun, reason: string, said: string, hint?: string): never {
  const detail = said.length > LONGEST_DETAIL ? `${said.slice(0, LONGEST_DETAIL)}…` : said;
  run.append('response.rejected', JSON.stringify({ detail, reason }));
  throw new ProgramError('REJECTED', `rejected (${reason}): ${detail}`, {
    ...(hint !== undefined && { hint }),
  });
}
