import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { NO_ORIGIN, type StepFinished, turnId, type TurnOutcome } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { DerivedIds, SpanWriter } from './span-writer.ts';
import { TurnSpans } from './turn-spans.ts';

const turn = {
  turnId: turnId('t'),
  skill: 'waybill',
  origin: NO_ORIGIN,
  isDelegated: false,
  startedAtMs: 1000,
  reopened: 0,
};
const row = {
  type: 'step.finished',
  path: '0',
  name: 'waybill',
  kind: 'code',
  outcome: 'exit',
  reason: 'nobody has signed it',
  calls: 1,
  callsFailed: 0,
  startedAtMs: 1000,
  durationMs: 20,
} as StepFinished;
const outcome: Omit<TurnOutcome, 'status'> = {
  vars: {},
  answer: '',
  answeredBy: '',
  skipped: [],
  error: null,
  exitReason: row.reason,
  usage: { generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 },
};

/** What is told of a turn that its skill ended. */
function told(status: TurnOutcome['status'], content: boolean) {
  const exporter = new InMemorySpanExporter();
  const ids = new DerivedIds();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  const tracer = new TracerProvider({ idGenerator: ids, spanProcessors }).getTracer('test');
  const spans = new TurnSpans({ writer: new SpanWriter(tracer, ids), sampling: () => true, content });
  const events = [row, { type: 'turn.finished', status, atMs: 1020 } as const];
  spans.committed(turn, { events, dropped: [], outcome: { ...outcome, status } });
  return exporter.getFinishedSpans();
}

describe('the spans of a turn that its skill ended', () => {
  it.each(['exited', 'refused', 'blocked', 'requirement_failed'] as const)('are no errors: %s', (status) => {
    const [step, whole] = told(status, false);
    for (const span of [step, whole]) {
      expect(span?.status.code).not.toBe(SpanStatusCode.ERROR);
      expect(span?.attributes).not.toHaveProperty('error.type');
    }
    expect(whole?.attributes['skillyard.turn.status']).toBe(status);
  });

  it('have the reason where content is told, and only there', () => {
    expect(told('blocked', true)[0]?.attributes['skillyard.step.reason']).toBe(row.reason);
    expect(JSON.stringify(told('blocked', false).map(({ attributes }) => attributes))).not.toContain(
      'signed',
    );
  });
});
