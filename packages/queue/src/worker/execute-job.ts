import { type JobId, SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';

/** Does a step job. A failure of the outside world is a result; an exception is a bug, and becomes one too. */
export type ExecuteJob = (
  job: StepJob,
  context: { readonly signal: AbortSignal },
) => Promise<StepResult> | StepResult;

/**
 * Runs a job under its own ceiling of time. An executor that does not listen to its signal is not waited for.
 * @param startedAtMs when the first attempt at it began: this one has what is left of its time
 */
export async function executeJob(
  execute: ExecuteJob,
  job: StepJob,
  abort: AbortController,
  startedAtMs: number,
): Promise<StepResult> {
  const leftMs = job.timeoutMs === undefined ? undefined : startedAtMs + job.timeoutMs - Date.now();
  const { signal } = abort;
  try {
    if (leftMs === undefined) return await execute(job, { signal });
    if (leftMs <= 0) {
      const late = failedResult(job.id, outOfTime(job));
      return job.kind === 'call' ? { ...late, sent: false } : late;
    }
    return await inTime(execute(job, { signal }), leftMs, () => {
      const reason = outOfTime(job);
      abort.abort(reason);
      return failedResult(job.id, reason);
    });
  } catch (error) {
    return failedResult(job.id, error);
  }
}

/** What an executor gives, or what is given in its place when its time is over. */
async function inTime(
  result: Promise<StepResult> | StepResult,
  ms: number,
  whenOver: () => StepResult,
): Promise<StepResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<StepResult>((resolve) => {
    timer = setTimeout(() => resolve(whenOver()), ms);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function outOfTime({ step, timeoutMs }: StepJob): SkillyardError {
  const name = step === '' ? 'the step' : `step "${step}"`;
  return new SkillyardError('STEP_TIMEOUT', `${name} took longer than its timeout of ${timeoutMs} ms`);
}

/** The result of a job whose executor threw. */
function failedResult(jobId: JobId, error: unknown): StepResult {
  const message = error instanceof Error ? error.message : String(error);
  const code = SkillyardError.is(error) ? error.code : 'STEP_FAILED';
  return { jobId, status: 'error', text: '', error: { code, message } };
}
