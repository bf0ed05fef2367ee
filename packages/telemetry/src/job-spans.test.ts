import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type CallJob, type JobId, turnId, type JobAttempt } from '@skillyard/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { JobSpans } from './job-spans.ts';
import { DerivedIds, SpanWriter } from './span-writer.ts';

const STEP = '00f067aa0ba902b7';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const job: CallJob = {
  id: 't.0.c' as JobId,
  turnId: turnId('t'),
  path: '0',
  step: 'pay',
  kind: 'call',
  server: 'bank',
  tool: 'pay',
  args: {},
  fill: [],
  notes: [],
  origin: 'step',
};
const first: JobAttempt = {
  job,
  traceparent: `00-${TRACE}-${STEP}-01`,
  workerClass: 'bank',
  worker: 'w1',
  attempt: 1,
  lost: 0,
  enqueuedAtMs: 1000,
  readyAtMs: 1000,
  startedAtMs: 1200,
};
const ok = { jobId: job.id, status: 'ok', text: '' } as const;

describe('the spans of attempts', () => {
  let exporter: InMemorySpanExporter;
  let spans: JobSpans;

  beforeEach(() => {
    exporter = new InMemorySpanExporter();
    const ids = new DerivedIds();
    const provider = new TracerProvider({
      idGenerator: ids,
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
    });
    const writer = new SpanWriter(provider.getTracer('test'), ids);
    spans = new JobSpans({ writer, config: {}, content: false });
  });

  it('tell of an attempt whose worker died, and the next one leads to it', () => {
    const heir = { ...first, worker: 'w2', lost: 1, readyAtMs: null, startedAtMs: 9000 };
    spans.ended(heir, { how: 'taken-over', worker: 'w1', endedAtMs: 9000 });
    spans.ended(heir, { how: 'done', result: ok, endedAtMs: 9100 });
    const [died, done, ...more] = exporter.getFinishedSpans();
    expect(more).toEqual([]);
    expect(died?.attributes).toMatchObject({ 'skillyard.worker': 'w1', 'skillyard.job.end': 'taken-over' });
    expect(died?.status.message).toBe('STEP_LOST');
    expect(done?.attributes).toMatchObject({ 'skillyard.worker': 'w2', 'skillyard.job.attempt': 1 });
    expect(done?.links).toEqual([
      expect.objectContaining({
        context: expect.objectContaining({ spanId: died?.spanContext().spanId }) as unknown,
        attributes: { 'skillyard.link': 'taken-over' },
      }),
    ]);
    for (const span of [died, done]) expect(span?.parentSpanContext?.spanId).toBe(STEP);
  });

  it('have ids of their own: an attempt that came too late, one that was handed back, one of a redriven job', () => {
    const done = { how: 'done', result: ok, endedAtMs: 9100 } as const;
    spans.ended(first, { how: 'late', result: ok, endedAtMs: 9000 });
    spans.ended({ ...first, lost: 1 }, { how: 'lost', worker: 'w1', endedAtMs: 9000 });
    spans.ended({ ...first, attempt: 2 }, { how: 'returned', endedAtMs: 9000 });
    spans.ended({ ...first, attempt: 2, readyAtMs: null }, done);
    spans.ended({ ...first, enqueuedAtMs: 20_000, startedAtMs: 20_001 }, done);
    const ids = exporter.getFinishedSpans().map((span) => span.spanContext().spanId);
    expect(ids.length).toBe(8);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are not written where the turn is not recorded, or not traced', () => {
    spans.ended(
      { ...first, traceparent: `00-${TRACE}-${STEP}-00` },
      { how: 'done', result: ok, endedAtMs: 1300 },
    );
    spans.ended({ ...first, traceparent: undefined }, { how: 'done', result: ok, endedAtMs: 1300 });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});
