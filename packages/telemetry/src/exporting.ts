import type { TelemetryConfig } from '@skillyard/contracts';

/** What is told to anybody. */
export interface Exporting {
  readonly traces: boolean;
  /** `pull`: Prometheus fetches them. `push`: they are sent. */
  readonly metrics: 'pull' | 'push' | 'off';
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What the standard variables and the configuration ask for. Nothing, unless one of them names where to.
 * Metrics go one way: those that are fetched are not sent as well.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function exportingOf(env: Env, config: TelemetryConfig): Exporting {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return { traces: false, metrics: 'off' };
  const isPulled = config.metrics_port !== undefined;
  return {
    traces: isSent(env, 'TRACES'),
    metrics: isPulled ? 'pull' : isSent(env, 'METRICS') ? 'push' : 'off',
  };
}

function isSent(env: Env, signal: 'TRACES' | 'METRICS'): boolean {
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim() ?? '';
  if (exporter !== '') return exporter !== 'none';
  const places = ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`];
  return places.some((name) => (env[name]?.trim() ?? '') !== '');
}
