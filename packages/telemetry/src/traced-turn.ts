import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import type { TurnId, TurnOrigin } from '@skillyard/contracts';
import type { Sampling } from './sampling.ts';
import { stepSpanId, traceIdOf, turnSpanId } from './span-id.ts';
import { isSampled, readTraceparent } from './traceparent.ts';

/** A turn, as far as its spans tell of it. */
export interface TracedTurn {
  readonly turnId: TurnId;
  readonly skill: string;
  /** Its `traceparent` is the span it was asked for in: that of a delegate step, for a turn that was delegated. */
  readonly origin: TurnOrigin;
  readonly isDelegated: boolean;
  readonly startedAtMs: number;
  /** How often it was reopened. */
  readonly reopened: number;
}

/** Where the spans of a turn belong. */
export class TurnTrace {
  readonly #turn: Pick<TracedTurn, 'turnId' | 'reopened'>;
  /** The span it was asked for in, if there is one. */
  readonly asked: SpanContext | undefined;
  readonly traceId: string;
  readonly #flags: number;

  constructor(turn: Pick<TracedTurn, 'turnId' | 'origin' | 'reopened'>, sampling: Sampling) {
    this.#turn = turn;
    this.asked = readTraceparent(turn.origin.traceparent);
    this.traceId = this.asked?.traceId ?? traceIdOf(turn.turnId);
    const sampled = sampling(this.traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE;
    this.#flags = this.asked?.traceFlags ?? sampled;
  }

  get isRecorded(): boolean {
    return isSampled({ traceFlags: this.#flags });
  }

  /** @param reopened the span of which of its lives; the present one when absent */
  turnSpan(reopened = this.#turn.reopened): SpanContext {
    return this.#span(turnSpanId(this.#turn.turnId, reopened));
  }

  /** @param path null for the turn itself */
  stepSpan(path: string | null): SpanContext {
    const { turnId, reopened } = this.#turn;
    return path === null ? this.turnSpan() : this.#span(stepSpanId(turnId, reopened, path));
  }

  #span(spanId: string): SpanContext {
    return { traceId: this.traceId, spanId, traceFlags: this.#flags, isRemote: true };
  }
}
