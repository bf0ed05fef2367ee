/** Whether a trace that begins here is recorded. */
export type Sampling = (traceId: string) => boolean;

/**
 * What the standard variables say about traces that begin here; those that are joined are recorded if their beginning
 * is. Decided by the id alone: processes that never talk to each other decide the same, before the turn's own span,
 * which comes last, is there.
 * @param env OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG
 */
export function samplingOf(env: Readonly<Record<string, string | undefined>>): Sampling {
  const sampler = (env['OTEL_TRACES_SAMPLER'] ?? '').replace('parentbased_', '');
  if (sampler === 'always_off') return () => false;
  if (sampler !== 'traceidratio') return () => true;
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  return (traceId) => Number.parseInt(traceId.slice(0, 8), 16) / 2 ** 32 < ratio;
}
