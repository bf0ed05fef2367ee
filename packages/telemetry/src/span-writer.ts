import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** A span that is over, as it is written down. */
export interface WrittenSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the root of a trace. */
  readonly parent: SpanContext | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links?: Link[];
  /** Why it failed: a code, never a text that may quote what a turn is about. */
  readonly error?: string | undefined;
}

/** Hands out the ids that the next span is to have. */
export class DerivedIds {
  #traceId = '';
  #spanId = '';

  /** Between this and the start of the span nothing else may run. */
  prepare(traceId: string, spanId: string): void {
    this.#traceId = traceId;
    this.#spanId = spanId;
  }

  generateTraceId(): string {
    return this.#traceId;
  }

  generateSpanId(): string {
    return this.#spanId;
  }
}

/** Writes down spans with ids that are known beforehand. */
export class SpanWriter {
  readonly #tracer: Tracer;
  readonly #ids: DerivedIds;

  constructor(tracer: Tracer, ids: DerivedIds) {
    this.#tracer = tracer;
    this.#ids = ids;
  }

  write(span: WrittenSpan): void {
    const { name, kind, attributes, links = [], parent, startMs, endMs, error } = span;
    this.#ids.prepare(span.traceId, span.spanId);
    const started = this.#tracer.startSpan(
      name,
      { kind, attributes, links, startTime: startMs },
      below(parent),
    );
    if (error !== undefined) started.setStatus({ code: SpanStatusCode.ERROR, message: error });
    // Clocks of two machines differ: an end before the start would be refused.
    started.end(Math.max(startMs, endMs));
  }
}

function below(parent: SpanContext | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}
