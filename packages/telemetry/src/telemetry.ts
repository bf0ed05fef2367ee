import type { Meter } from '@opentelemetry/api';
import type { Config, AttemptEnd, JobAttempt } from '@skillyard/contracts';
import type { TelemetryLog } from './export-complaints.ts';
import { type Exporting, exportingOf } from './exporting.ts';
import { JobMetrics } from './job-metrics.ts';
import { JobSpans, spanIdOf } from './job-spans.ts';
import { type Load, measureLoad } from './load-metrics.ts';
import { openSdk } from './open-sdk.ts';
import { type Sampling, samplingOf } from './sampling.ts';
import { SpanWriter } from './span-writer.ts';
import { type TracedTurn, TurnTrace } from './traced-turn.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';
import { TurnMetrics } from './turn-metrics.ts';
import { type TurnProgress, TurnSpans } from './turn-spans.ts';

export interface TelemetryOptions {
  readonly service: 'orchestrator' | 'worker';
  readonly config: Config;
  /** The environment of the process: the standard variables say what goes where. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: TelemetryLog;
}

/** What lines of a log say of the trace they belong to. */
export interface TraceFields {
  readonly trace_id?: string;
  readonly span_id?: string;
}

/**
 * Starts telemetry, as far as it is asked for.
 * @returns undefined when nobody is told anything: then it costs nothing
 * @throws SkillyardError CONFIG_INVALID when metrics cannot be served where the configuration says
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const { service, config, env, log } = options;
  const telemetryConfig = config.telemetry ?? {};
  const exporting = exportingOf(env, telemetryConfig);
  if (!exporting.traces && exporting.metrics === 'off') return undefined;
  const sdk = await openSdk({ service, config: telemetryConfig, log }, exporting);
  const content = telemetryConfig.content === 'on';
  const writer = sdk.tracer && new SpanWriter(sdk.tracer, sdk.ids);
  const sampling = samplingOf(env);
  return new Telemetry({
    exporting,
    sampling,
    turnSpans: writer && new TurnSpans({ writer, sampling, content }),
    jobSpans: writer && new JobSpans({ writer, config, content }),
    turnMetrics: sdk.meter && new TurnMetrics(sdk.meter),
    jobMetrics: sdk.meter && new JobMetrics(sdk.meter, config),
    meter: sdk.meter,
    metricsPort: sdk.metricsPort,
    close: () => sdk.close(),
  });
}

interface TelemetryParts {
  readonly exporting: Exporting;
  readonly sampling: Sampling;
  readonly turnSpans: TurnSpans | undefined;
  readonly jobSpans: JobSpans | undefined;
  readonly turnMetrics: TurnMetrics | undefined;
  readonly jobMetrics: JobMetrics | undefined;
  readonly meter: Meter | undefined;
  readonly metricsPort: number | undefined;
  readonly close: () => Promise<void>;
}

/** What a process tells of the turns it runs and the jobs it does. */
export class Telemetry {
  readonly #parts: TelemetryParts;

  constructor(parts: TelemetryParts) {
    this.#parts = parts;
  }

  /** Where Prometheus finds the metrics of this process, if it does. */
  get metricsPort(): number | undefined {
    return this.#parts.metricsPort;
  }

  /** Something is known of a turn for good: call it once for each commit. */
  turnCommitted(turn: TracedTurn, progress: TurnProgress): void {
    const { turnSpans, turnMetrics } = this.#parts;
    turnSpans?.committed(turn, progress);
    turnMetrics?.committed(turn, progress);
  }

  /** What a job carries, so that whoever does it knows the span of its step; undefined when nothing is traced. */
  traceparentOf(turn: Pick<TracedTurn, 'turnId' | 'origin' | 'reopened'>, path: string): string | undefined {
    const { turnSpans, sampling } = this.#parts;
    return turnSpans && writeTraceparent(new TurnTrace(turn, sampling).stepSpan(path));
  }

  /** An attempt at a job is over: call it once for each. */
  attemptEnded(attempt: JobAttempt, end: AttemptEnd): void {
    const { jobSpans, jobMetrics } = this.#parts;
    jobSpans?.ended(attempt, end);
    jobMetrics?.ended(attempt, end);
  }

  /** Has the load of the system measured whenever metrics are collected. */
  watchLoad(read: () => Promise<Load>): void {
    const { meter } = this.#parts;
    if (meter !== undefined) measureLoad(meter, read);
  }

  /** For a line of the log about a turn. */
  turnFields(turn: Pick<TracedTurn, 'turnId' | 'origin' | 'reopened'>): TraceFields {
    const { turnSpans, sampling } = this.#parts;
    return turnSpans === undefined ? {} : { trace_id: new TurnTrace(turn, sampling).traceId };
  }

  /** For a line of the log about an attempt at a job. */
  attemptFields(attempt: JobAttempt): TraceFields {
    const step = this.#parts.jobSpans && readTraceparent(attempt.traceparent);
    return step === undefined ? {} : { trace_id: step.traceId, span_id: spanIdOf(attempt) };
  }

  /** Sends what was not sent yet, for a few seconds at most. */
  close(): Promise<void> {
    return this.#parts.close();
  }
}
