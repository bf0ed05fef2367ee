import { GEN_AI_METRIC } from './gen-ai.ts';

/** Instruments that measure seconds. */
const IN_SECONDS = [
  'skillyard.turn.duration',
  'skillyard.step.duration',
  'skillyard.queue.wait',
  GEN_AI_METRIC.duration.name,
] as const;

/**
 * Has instruments called in Prometheus as the specification says, with their unit: the exporter leaves it out, and
 * whoever takes metrics through a collector would find other names than whoever fetches them here.
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
export const PROMETHEUS_VIEWS = IN_SECONDS.map((instrumentName) => ({
  instrumentName,
  name: `${instrumentName}.seconds`,
}));
