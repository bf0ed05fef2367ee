import type { Attributes, Meter } from '@opentelemetry/api';
import type { Config, AttemptEnd, JobAttempt } from '@skillyard/contracts';
import { modelFacts, OTHER } from './describe-job.ts';
import { ERROR_TYPE, GEN_AI, GEN_AI_METRIC, OPERATION } from './gen-ai.ts';

/** Buckets for a wait in a queue, in seconds. */
const WAIT_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];

/** What attempts at jobs come to. */
export class JobMetrics {
  readonly #config: Config;
  readonly #wait;
  readonly #retried;
  readonly #lost;
  readonly #duration;
  readonly #tokens;

  constructor(meter: Meter, config: Config) {
    this.#config = config;
    this.#wait = meter.createHistogram('skillyard.queue.wait', {
      description: 'From when a job could be taken to when a worker took it.',
      unit: 's',
      advice: { explicitBucketBoundaries: WAIT_SECONDS },
    });
    this.#retried = meter.createCounter('skillyard.jobs.retried', {
      description: 'Attempts that failed and were followed by another one.',
    });
    this.#lost = meter.createCounter('skillyard.jobs.lost', {
      description: 'Attempts whose worker died: run again by another one, or given up.',
    });
    this.#duration = meter.createHistogram(GEN_AI_METRIC.duration.name, {
      description: 'One generation, or one tool call.',
      unit: 's',
      advice: { explicitBucketBoundaries: [...GEN_AI_METRIC.duration.buckets] },
    });
    this.#tokens = meter.createHistogram(GEN_AI_METRIC.tokens.name, {
      description: 'Tokens of one generation.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: [...GEN_AI_METRIC.tokens.buckets] },
    });
  }

  ended(attempt: JobAttempt, { how, result, endedAtMs }: AttemptEnd): void {
    const { job, readyAtMs, startedAtMs, workerClass } = attempt;
    const ofClass = { class: workerClass };
    if (how === 'taken-over' || how === 'lost') {
      this.#lost.add(1, { ...ofClass, rerun: how === 'taken-over' });
      return;
    }
    if (readyAtMs !== null) this.#wait.record(Math.max(0, startedAtMs - readyAtMs) / 1000, ofClass);
    if (how === 'retried') this.#retried.add(1, ofClass);
    const attributes = this.#operation(attempt);
    if (result === undefined || attributes === undefined) return;
    const { error, usage } = result;
    const seconds = Math.max(0, endedAtMs - startedAtMs) / 1000;
    this.#duration.record(seconds, { ...attributes, ...(error && { [ERROR_TYPE]: error.code }) });
    if (usage === undefined || job.kind !== 'generate') return;
    this.#tokens.record(usage.inputTokens, { ...attributes, [GEN_AI.tokenType]: 'input' });
    this.#tokens.record(usage.outputTokens, { ...attributes, [GEN_AI.tokenType]: 'output' });
  }

  /** Models are those of the configuration; tools are not told apart: a server may offer any number of them. */
  #operation({ job, workerClass }: JobAttempt): Attributes | undefined {
    if (job.kind === 'call') return { [GEN_AI.operation]: OPERATION.executeTool, class: workerClass };
    if (job.kind !== 'generate') return undefined;
    const { provider, model } = modelFacts(job.model, this.#config);
    return {
      [GEN_AI.operation]: OPERATION.chat,
      [GEN_AI.provider]: provider,
      [GEN_AI.requestModel]: provider === OTHER ? OTHER : model,
    };
  }
}
