import { type SpanContext, TraceFlags } from '@opentelemetry/api';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/**
 * Reads a span out of a W3C `traceparent`.
 * @returns undefined for anything that is none: a trace that cannot be joined is begun anew
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === '' || traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

/** Writes a span as a W3C `traceparent`. */
export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled({ traceFlags }) ? '01' : '00'}`;
}

/** Whether a span is recorded. */
export function isSampled({ traceFlags }: Pick<SpanContext, 'traceFlags'>): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}
