import { SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';

/** What an executor gets beside the job. */
export interface JobContext {
  /** Aborted on cancel or timeout; the reason is a SkillyardError. */
  readonly signal: AbortSignal;
}

/** Does the work of a job. A failure of the outside world is a result, never a thrown error. */
export type Execute = (job: StepJob, context: JobContext) => StepResult | Promise<StepResult>;

/** The context of one job. The signal is made when somebody first looks at it: most no-op work never does. */
export class RunningJob implements JobContext {
  readonly job: StepJob;
  #controller: AbortController | null = null;
  #reason: SkillyardError | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(job: StepJob) {
    this.job = job;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== null) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Why it was aborted, if it was. */
  get reason(): SkillyardError | null {
    return this.#reason;
  }

  abort(reason: SkillyardError): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }

  /** Aborts the job when its time is up. */
  limit(onTimeout: (reason: SkillyardError) => void): void {
    const { timeoutMs, step } = this.job;
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => {
      const name = step === '' ? 'the step' : `step "${step}"`;
      const reason = new SkillyardError(
        'STEP_TIMEOUT',
        `${name} took longer than its timeout of ${timeoutMs} ms`,
      );
      this.abort(reason);
      onTimeout(reason);
    }, timeoutMs);
  }

  done(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
