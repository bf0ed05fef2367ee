/**
 * The local driver: one machine, the executors, one process, no Redis.
 *
 * D1 Every result goes through `applyResult` on this one thread; executors only ever hand back data.
 * D2 Jobs are taken in the order of the flow, at most `concurrency` at once.
 * D3 When the turn has ended, running work is aborted by signal and its results are ignored.
 */
import {
  SkillyardError,
  type StepFinished,
  type StepResult,
  type TraceEvent,
  type TurnOutcome,
  type TurnRadius,
  turnId as brandTurnId,
} from '@skillyard/contracts';
import {
  type Advance,
  applyResult,
  assembleTrace,
  cancelTurn,
  expireTurn,
  type Program,
  startTurn,
  type Turn,
  turnDeadlineMs,
  type TurnSettings,
} from '@skillyard/engine';
import { JobQueue } from './job-queue.ts';
import { type Execute, RunningJob } from './running-job.ts';

/** Step jobs at once when the caller does not say. */
const DEFAULT_CONCURRENCY = 16;

export interface RunOptions {
  readonly program: Program;
  readonly vars?: Readonly<Record<string, string>>;
  readonly turnId: string;
  readonly settings?: Partial<TurnSettings>;
  /** What the sources of the skill came to; see `resolveRadius`. */
  readonly radius?: TurnRadius;
  readonly execute: Execute;
  /** Step jobs at once; 16 when absent. */
  readonly concurrency?: number;
  /** Cancels the turn when aborted. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: TraceEvent) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface TurnReport {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  /** Rows of the flow, in the order of the sequential run. */
  readonly steps: readonly StepFinished[];
  /** Rows of steps inside parallel branches. */
  readonly notices: readonly StepFinished[];
  readonly durationMs: number;
}

/**
 * Runs a turn to its end. A turn that fails is a report, not an exception.
 * @throws whatever `execute` throws that is no result: a bug in an executor ends the run loudly
 */
export function runTurn(options: RunOptions): Promise<TurnReport> {
  return new LocalRun(options).run();
}

type Arrival = { readonly running: RunningJob; readonly result: StepResult } | { readonly bug: unknown };

class LocalRun {
  readonly #options: RunOptions;
  readonly #now: () => number;
  readonly #concurrency: number;
  readonly #queue = new JobQueue();
  readonly #running = new Map<string, RunningJob>();
  /** What the trace is assembled from: a long loop leaves enough of it. */
  readonly #rows: TraceEvent[] = [];
  readonly #arrivals: Arrival[] = [];
  #wake: (() => void) | null = null;
  #outcome: TurnOutcome | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  }

  async run(): Promise<TurnReport> {
    const { program, vars, settings, radius, signal } = this.#options;
    const startedAtMs = this.#now();
    const turnId = brandTurnId(this.#options.turnId);
    const start = { turnId, ...(vars && { vars }), ...(settings && { settings }), ...(radius && { radius }) };
    const { turn, advance } = startTurn(program, start, startedAtMs);
    turn.stopTracking();
    this.#take(advance);
    const stopTimer = this.#watchDeadline(turn);
    const stopListening = this.#watchSignal(turn, signal);
    try {
      while (this.#outcome === null) {
        this.#startJobs(turn);
        if (this.#outcome !== null) break;
        if (this.#arrivals.length === 0) await this.#nextArrival();
        this.#applyArrivals(turn);
      }
    } finally {
      stopTimer();
      stopListening();
      this.#abortAll();
    }
    const trace = assembleTrace(this.#rows);
    return { turnId, outcome: this.#outcome, ...trace, durationMs: this.#now() - startedAtMs };
  }

  #startJobs(turn: Turn): void {
    while (this.#running.size < this.#concurrency && this.#outcome === null) {
      const job = this.#queue.take();
      if (job === undefined) return;
      const running = new RunningJob(job);
      const result = this.#options.execute(job, running);
      if (result instanceof Promise) this.#follow(running, result);
      else this.#take(applyResult(turn, result, this.#now()));
    }
  }

  #follow(running: RunningJob, work: Promise<StepResult>): void {
    this.#running.set(running.job.id, running);
    running.limit((reason) => this.#arrive({ running, result: failedResult(running, reason) }));
    work.then(
      (result) => this.#arrive({ running, result }),
      (bug: unknown) => this.#arrive({ bug }),
    );
  }

  #arrive(arrival: Arrival): void {
    this.#arrivals.push(arrival);
    this.#wake?.();
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }

  #applyArrivals(turn: Turn): void {
    for (const arrival of this.#arrivals.splice(0)) {
      if ('bug' in arrival) throw arrival.bug;
      const { running, result } = arrival;
      running.done();
      this.#running.delete(running.job.id);
      if (this.#outcome === null) this.#take(applyResult(turn, result, this.#now()));
    }
  }

  #take(advance: Advance): void {
    for (const event of advance.events) {
      if (event.type === 'step.finished' || event.type === 'steps.discarded') this.#rows.push(event);
      this.#options.onEvent?.(event);
    }
    for (const job of advance.jobs) this.#queue.add(job);
    for (const id of advance.dropped) {
      this.#queue.remove(id);
      this.#running.get(id)?.abort(new SkillyardError('TURN_CANCELLED', 'the result is no longer wanted'));
    }
    if (advance.outcome !== undefined) this.#outcome = advance.outcome;
  }

  #watchSignal(turn: Turn, signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => {};
    const cancel = (): void => {
      const message = signal.reason instanceof Error ? signal.reason.message : 'the turn was cancelled';
      this.#take(cancelTurn(turn, { code: 'TURN_CANCELLED', message }, this.#now()));
      this.#wake?.();
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return () => signal.removeEventListener('abort', cancel);
  }

  #watchDeadline(turn: Turn): () => void {
    const deadlineMs = turnDeadlineMs(turn);
    if (deadlineMs === null) return () => {};
    const timer = setTimeout(
      () => {
        this.#take(expireTurn(turn, this.#now()));
        this.#wake?.();
      },
      Math.max(0, deadlineMs - this.#now()),
    );
    return () => clearTimeout(timer);
  }

  #abortAll(): void {
    const reason = new SkillyardError('TURN_CANCELLED', 'the turn has ended');
    for (const running of this.#running.values()) {
      running.done();
      running.abort(reason);
    }
  }
}

function failedResult(running: RunningJob, reason: SkillyardError): StepResult {
  return {
    jobId: running.job.id,
    status: 'error',
    text: '',
    error: { code: reason.code, message: reason.message },
  };
}
