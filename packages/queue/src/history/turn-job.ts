import type { StepJob, StepResult, TurnJob } from '@skillyard/contracts';
import { targetOf } from '../operator/explain-job.ts';
import { childTurnId } from '../turns/child-turn-id.ts';
import { Cut } from './cut.ts';

/** What is known of a job beside its result. */
export interface JobEnd {
  readonly endedAtMs: number;
  /** How often it was started; null where no worker was needed. */
  readonly attempts: number | null;
}

/** Describes what a job was given and what it gave, for people. Texts above a length are cut. */
export function turnJob(job: StepJob, result: StepResult, end: JobEnd, maxLength: number): TurnJob {
  const cut = new Cut(maxLength);
  const { status, error, usage, worker, startedAtMs } = result;
  return {
    jobId: job.id,
    path: job.path,
    step: job.step,
    kind: job.kind,
    target: targetOf(job),
    status,
    input: cut.object(inputOf(job)),
    output: cut.text(result.text),
    calls: (result.toolRequests ?? []).map((request) => cut.object({ ...request })),
    error: error === undefined ? null : { ...error, message: cut.text(error.message) },
    usage: usage ?? null,
    attempts: end.attempts,
    worker: worker ?? null,
    startedAtMs: startedAtMs ?? null,
    endedAtMs: end.endedAtMs,
    child: job.kind === 'delegate' ? childTurnId(job.id) : null,
    truncated: cut.happened,
  };
}

/** What decides about the answer. Where a conversation is kept and the like is ours alone. */
function inputOf(job: StepJob): Record<string, unknown> {
  switch (job.kind) {
    case 'generate': {
      const { instruction, system, replies, round, tools, toolChoice, sampling, responseSchema, oneOf } = job;
      return { system, instruction, replies, round, tools, toolChoice, sampling, responseSchema, oneOf };
    }
    case 'call':
      return { args: job.args, ...(job.fill.length > 0 && { fill: job.fill }) };
    case 'delegate':
      return { task: job.task };
    case 'ask':
      return { questions: job.questions };
    case 'decide':
      return { event: job.event };
    case 'asset':
      return { ...job.asset };
    case 'memory':
      return { handle: job.handle, at: job.at };
  }
}
