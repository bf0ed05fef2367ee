import { type Attributes, type Link, type SpanContext, SpanKind } from '@opentelemetry/api';
import type { Config, AttemptEnd, JobAttempt } from '@skillyard/contracts';
import { contentOf } from './content.ts';
import { describeJob, generationResult } from './describe-job.ts';
import { ERROR_TYPE } from './gen-ai.ts';
import { SKILLYARD } from './skillyard-attributes.ts';
import { type AttemptPlace, attemptSpanId } from './span-id.ts';
import type { SpanWriter } from './span-writer.ts';
import { isSampled, readTraceparent } from './traceparent.ts';

export interface JobSpansParts {
  readonly writer: SpanWriter;
  readonly config: Config;
  /** Whether spans may say what the job is about. */
  readonly content: boolean;
}

/** The spans of attempts at jobs and of what they waited before, below the span of their step. */
export class JobSpans {
  readonly #parts: JobSpansParts;

  constructor(parts: JobSpansParts) {
    this.#parts = parts;
  }

  ended(attempt: JobAttempt, end: AttemptEnd): void {
    const step = readTraceparent(attempt.traceparent);
    if (step === undefined || !isSampled(step)) return;
    const diedElsewhere = end.how === 'taken-over' || end.how === 'lost';
    if (diedElsewhere) this.#writeDeath(step, attempt, end);
    else this.#write(step, attempt, end);
  }

  #write(step: SpanContext, attempt: JobAttempt, end: AttemptEnd): void {
    const { job, readyAtMs, startedAtMs, workerClass } = attempt;
    const { writer, config, content } = this.#parts;
    const { how, result } = end;
    const { name, kind, attributes } = describeJob(job, config);
    const place = placeOf(attempt);
    if (readyAtMs !== null) {
      writer.write({
        name: `queue wait ${workerClass}`,
        kind: SpanKind.INTERNAL,
        traceId: step.traceId,
        spanId: attemptSpanId(place, 'wait'),
        parent: step,
        startMs: readyAtMs,
        endMs: startedAtMs,
        attributes: facts(attempt),
      });
    }
    const error = result?.error?.code ?? (how === 'done' || how === 'late' ? undefined : how);
    writer.write({
      name,
      kind,
      traceId: step.traceId,
      spanId: spanIdOf(attempt, end),
      parent: step,
      startMs: startedAtMs,
      endMs: end.endedAtMs,
      error,
      links: before(step, attempt),
      attributes: {
        ...facts(attempt),
        ...attributes,
        [SKILLYARD.jobEnd]: how,
        ...(result && { [SKILLYARD.jobStatus]: result.status }),
        ...(result && job.kind === 'generate' && generationResult(result)),
        ...(error !== undefined && { [ERROR_TYPE]: error }),
        ...(content && contentOf(job, result)),
      },
    });
  }

  /** An attempt whose worker died cannot tell of itself. When it began nobody knows any more. */
  #writeDeath(step: SpanContext, attempt: JobAttempt, { how, worker, endedAtMs }: AttemptEnd): void {
    const { name, kind, attributes } = describeJob(attempt.job, this.#parts.config);
    this.#parts.writer.write({
      name,
      kind,
      traceId: step.traceId,
      spanId: attemptSpanId(died(attempt), 'lost'),
      parent: step,
      startMs: endedAtMs,
      endMs: endedAtMs,
      error: 'STEP_LOST',
      attributes: {
        ...facts(attempt),
        ...attributes,
        [SKILLYARD.jobEnd]: how,
        [ERROR_TYPE]: 'STEP_LOST',
        ...(worker !== undefined && { [SKILLYARD.worker]: worker }),
      },
    });
  }
}

/** The span of an attempt: one that was handed back will be made again under the same number. */
export function spanIdOf(attempt: JobAttempt, end?: AttemptEnd): string {
  return attemptSpanId(placeOf(attempt), end?.how === 'returned' ? 'returned' : '');
}

function placeOf({ job, enqueuedAtMs, attempt, lost }: JobAttempt): AttemptPlace {
  return { jobId: job.id, enqueuedAtMs, attempt, lost };
}

/** The attempt that this one took over. */
function died(attempt: JobAttempt): AttemptPlace {
  return { ...placeOf(attempt), lost: Math.max(0, attempt.lost - 1) };
}

/** A link to what was tried before. */
function before(step: SpanContext, attempt: JobAttempt): Link[] {
  if (attempt.lost > 0) return [linkTo(step, attemptSpanId(died(attempt), 'lost'), 'taken-over')];
  if (attempt.attempt === 1) return [];
  const previous = { ...placeOf(attempt), attempt: attempt.attempt - 1, lost: 0 };
  return [linkTo(step, attemptSpanId(previous), 'retry')];
}

function linkTo(step: SpanContext, spanId: string, what: string): Link {
  return { context: { ...step, spanId }, attributes: { [SKILLYARD.link]: what } };
}

function facts({ job, attempt, worker, workerClass }: JobAttempt): Attributes {
  return {
    [SKILLYARD.turnId]: job.turnId,
    [SKILLYARD.stepPath]: job.path,
    [SKILLYARD.jobId]: job.id,
    [SKILLYARD.jobKind]: job.kind,
    [SKILLYARD.attempt]: attempt,
    [SKILLYARD.workerClass]: workerClass,
    [SKILLYARD.worker]: worker,
  };
}
