import { type Attributes, type Link, SpanKind } from '@opentelemetry/api';
import type { StepFinished, StepKind, TraceEvent, TurnOutcome } from '@skillyard/contracts';
import { clip } from './content.ts';
import { ERROR_TYPE, GEN_AI, OPERATION } from './gen-ai.ts';
import type { Sampling } from './sampling.ts';
import { SKILLYARD } from './skillyard-attributes.ts';
import type { SpanWriter } from './span-writer.ts';
import { placeOf } from './step-path.ts';
import { type TracedTurn, TurnTrace } from './traced-turn.ts';

/** What a commit brought to a turn. */
export interface TurnProgress {
  readonly events: readonly TraceEvent[];
  /** Jobs that nobody waits for any more. */
  readonly dropped: readonly { readonly path: string; readonly step: string; readonly kind: string }[];
  readonly outcome: TurnOutcome | null;
}

export interface TurnSpansParts {
  readonly writer: SpanWriter;
  readonly sampling: Sampling;
  /** Whether spans may say what the turn is about. */
  readonly content: boolean;
}

/**
 * The spans of turns and their steps, each written when its end is committed.
 *
 * A span is exported once and cannot be taken back. So what an iteration did that ran early and turned out void stays in
 * the trace, with a span `discarded` beside it, and a reopened turn begins a new span below the first one.
 */
export class TurnSpans {
  readonly #parts: TurnSpansParts;

  constructor(parts: TurnSpansParts) {
    this.#parts = parts;
  }

  traceOf(turn: TracedTurn): TurnTrace {
    return new TurnTrace(turn, this.#parts.sampling);
  }

  committed(turn: TracedTurn, { events, dropped, outcome }: TurnProgress): void {
    const trace = this.traceOf(turn);
    if (!trace.isRecorded) return;
    for (const event of events) {
      if (event.type === 'step.finished') this.#step(turn, trace, event);
      if (event.type === 'steps.discarded') this.#discarded(turn, trace, event, dropped);
      if (event.type === 'turn.finished' && outcome !== null) this.#turn(turn, trace, outcome, event.atMs);
    }
  }

  #step(turn: TracedTurn, trace: TurnTrace, row: StepFinished): void {
    const { outcome, calls, callsFailed, startedAtMs, durationMs } = row;
    const failed = outcome === 'error' || outcome === 'denied';
    this.#write(trace, row, {
      startMs: startedAtMs,
      endMs: startedAtMs + durationMs,
      error: failed ? outcome : undefined,
      attributes: {
        ...stepAttributes(turn, row),
        [SKILLYARD.outcome]: outcome,
        [SKILLYARD.calls]: calls,
        ...(callsFailed > 0 && { [SKILLYARD.callsFailed]: callsFailed }),
        ...(row.loop && { [SKILLYARD.concurrency]: row.loop.concurrency }),
        ...(row.usage && {
          [GEN_AI.inputTokens]: row.usage.inputTokens,
          [GEN_AI.outputTokens]: row.usage.outputTokens,
        }),
        ...(failed && { [ERROR_TYPE]: outcome }),
        // A reason may quote values: those of a `switch`, or what a tool answered.
        ...(this.#parts.content && row.reason !== '' && { [SKILLYARD.reason]: clip(row.reason) }),
      },
    });
  }

  /** Says of a part of a loop that it is void, and ends the spans of what was under way in it: no row will. */
  #discarded(
    turn: TracedTurn,
    trace: TurnTrace,
    { path, atMs }: Extract<TraceEvent, { type: 'steps.discarded' }>,
    dropped: TurnProgress['dropped'],
  ): void {
    const moment = { startMs: atMs, endMs: atMs, error: undefined };
    const mark = { [SKILLYARD.turnId]: turn.turnId, [SKILLYARD.stepPath]: path, [SKILLYARD.discarded]: true };
    this.#write(trace, { name: 'discarded', path: `${path}.` }, { ...moment, attributes: mark });
    const open = new Map<string, { name: string; kind: StepKind | undefined }>();
    for (const job of dropped) {
      if (!job.path.startsWith(`${path}.`)) continue;
      open.set(job.path, { name: job.step || job.kind, kind: undefined });
      for (const [around, kind] of openAround(job.path, path))
        if (!open.has(around)) open.set(around, { name: kind, kind });
    }
    for (const [at, { name, kind }] of open) {
      const row = { name, path: at, ...(kind && { kind }) };
      const attributes = { ...stepAttributes(turn, row), [SKILLYARD.discarded]: true };
      this.#write(trace, row, { ...moment, attributes });
    }
  }

  #turn(turn: TracedTurn, trace: TurnTrace, outcome: TurnOutcome, endMs: number): void {
    const { turnId, skill, isDelegated, reopened, startedAtMs } = turn;
    const { status, error, usage } = outcome;
    const links: Link[] = [];
    if (isDelegated && trace.asked !== undefined) links.push(link(trace.asked, 'delegated'));
    if (reopened > 0) links.push(link(trace.turnSpan(reopened - 1), 'reopened'));
    const failed = status === 'failed' || status === 'denied' || status === 'cancelled';
    const code = error?.code ?? status;
    this.#parts.writer.write({
      name: `skill ${skill}`,
      kind: isDelegated ? SpanKind.INTERNAL : SpanKind.SERVER,
      traceId: trace.traceId,
      spanId: trace.turnSpan().spanId,
      parent: reopened > 0 ? trace.turnSpan(0) : trace.asked,
      startMs: startedAtMs,
      endMs,
      error: failed ? code : undefined,
      links,
      attributes: {
        [SKILLYARD.turnId]: turnId,
        [SKILLYARD.tenant]: turn.origin.tenant,
        [SKILLYARD.skill]: skill,
        [SKILLYARD.status]: status,
        [GEN_AI.operation]: OPERATION.invokeAgent,
        [GEN_AI.agent]: skill,
        [GEN_AI.inputTokens]: usage.inputTokens,
        [GEN_AI.outputTokens]: usage.outputTokens,
        ...(reopened > 0 && { [SKILLYARD.reopened]: reopened }),
        ...(failed && { [ERROR_TYPE]: code }),
        ...(this.#parts.content && { [GEN_AI.outputMessages]: clip(outcome.answer) }),
      },
    });
  }

  #write(
    trace: TurnTrace,
    { name, path }: { readonly name: string; readonly path: string },
    span: { startMs: number; endMs: number; error: string | undefined; attributes: Attributes },
  ): void {
    this.#parts.writer.write({
      ...span,
      name: `step ${name}`,
      kind: SpanKind.INTERNAL,
      traceId: trace.traceId,
      spanId: trace.stepSpan(path).spanId,
      parent: trace.stepSpan(placeOf(path).parent),
    });
  }
}

function stepAttributes(
  { turnId, reopened }: TracedTurn,
  { name, path, kind }: { readonly name: string; readonly path: string; readonly kind?: StepKind },
): Attributes {
  const { iteration, branch } = placeOf(path);
  return {
    [SKILLYARD.turnId]: turnId,
    [SKILLYARD.stepName]: name,
    [SKILLYARD.stepPath]: path,
    ...(kind !== undefined && { [SKILLYARD.stepKind]: kind }),
    ...(iteration !== undefined && { [SKILLYARD.iteration]: iteration }),
    ...(branch !== undefined && { [SKILLYARD.branch]: branch }),
    ...(reopened > 0 && { [SKILLYARD.reopened]: reopened }),
  };
}

/** The loops and forks between a step and what was discarded. Conditions around it have their rows already. */
function openAround(path: string, discarded: string): [path: string, kind: StepKind][] {
  const open: [string, StepKind][] = [];
  let { parent, iteration, branch } = placeOf(path);
  while (parent?.startsWith(`${discarded}.`) === true) {
    if (iteration !== undefined) open.push([parent, 'for_each']);
    if (branch !== undefined) open.push([parent, 'parallel']);
    ({ parent, iteration, branch } = placeOf(parent));
  }
  return open;
}

function link(context: Link['context'], what: string): Link {
  return { context, attributes: { [SKILLYARD.link]: what } };
}
