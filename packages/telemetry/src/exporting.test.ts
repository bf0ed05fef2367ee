import { describe, expect, it } from 'vitest';
import { exportingOf } from './exporting.ts';

const OFF = { traces: false, metrics: 'off' };

describe('telemetry', () => {
  it('tells nobody anything unless it is asked to', () => {
    expect(exportingOf({}, {})).toEqual(OFF);
    expect(exportingOf({ OTEL_SERVICE_NAME: 'bakery', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, {})).toEqual(OFF);
    const everything = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' };
    expect(exportingOf(everything, { metrics_port: 0 })).toEqual(OFF);
  });

  it('follows the standard variables, for each signal', () => {
    const sent = { traces: true, metrics: 'push' };
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://c:4318';
    expect(exportingOf({ OTEL_EXPORTER_OTLP_ENDPOINT }, {})).toEqual(sent);
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' };
    expect(exportingOf(traces, {})).toEqual({ traces: true, metrics: 'off' });
    const metrics = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' };
    expect(exportingOf(metrics, {})).toEqual({ traces: false, metrics: 'push' });
    expect(exportingOf({ OTEL_TRACES_EXPORTER: 'console' }, {})).toEqual({ traces: true, metrics: 'off' });
  });

  it('has metrics fetched where the configuration names a port, and does not send them then', () => {
    expect(exportingOf({}, { metrics_port: 9464 })).toEqual({ traces: false, metrics: 'pull' });
    const both = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' };
    expect(exportingOf(both, { metrics_port: 9464 })).toEqual({ traces: true, metrics: 'pull' });
  });
});
