import { type JobId, SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';

/** Does a step job. A failure of the outside world is a result; an exception is a bug, and becomes one too. */
export type ExecuteJob = (
  job: StepJob,
  context: { readonly signal: AbortSignal },
) => Promise<StepResult> | StepResult;

/** Runs a job under its own ceiling of time. An executor that does not listen to its signal is not waited for. */
export async function executeJob(
  execute: ExecuteJob,
  job: StepJob,
  abort: AbortController,
): Promise<StepResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<StepResult>((resolve) => {
    if (job.timeoutMs === undefined) return;
    const name = job.step === '' ? 'the step' : `step "${job.step}"`;
    const message = `${name} took longer than its timeout of ${job.timeoutMs} ms`;
    const reason = new SkillyardError('STEP_TIMEOUT', message);
    timer = setTimeout(() => {
      abort.abort(reason);
      resolve(failedResult(job.id, reason));
    }, job.timeoutMs);
  });
  try {
    return await Promise.race([execute(job, { signal: abort.signal }), timeout]);
  } catch (error) {
    return failedResult(job.id, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of a job whose executor threw. */
function failedResult(jobId: JobId, error: unknown): StepResult {
  const message = error instanceof Error ? error.message : String(error);
  const code = SkillyardError.is(error) ? error.code : 'STEP_FAILED';
  return { jobId, status: 'error', text: '', error: { code, message } };
}
