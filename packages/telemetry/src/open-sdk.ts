import { hostname } from 'node:os';
import {
  context,
  type ContextManager,
  diag,
  type Meter,
  metrics,
  ROOT_CONTEXT,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { TelemetryConfig } from '@skillyard/contracts';
import { type TelemetryLog, logComplaints } from './export-complaints.ts';
import type { Exporting } from './exporting.ts';
import { startMetricsServer } from './metrics-server.ts';
import { PROMETHEUS_VIEWS } from './prometheus-names.ts';
import { DerivedIds } from './span-writer.ts';

/** How long what was not sent yet is waited for at the end. */
const FLUSH_MS = 5000;
/** What our spans and instruments say they come from. */
const SCOPE = 'skillyard';
/** Follows nothing: every span is told what it belongs under, and to follow promises would cost each of them. */
const NO_CONTEXT: ContextManager = {
  active: () => ROOT_CONTEXT,
  with: (_context, work, self, ...args) => work.call(self as never, ...args),
  bind: (_context, target) => target,
  enable: () => NO_CONTEXT,
  disable: () => NO_CONTEXT,
};

export interface SdkOptions {
  /** `orchestrator` or `worker`: the service is called `skillyard-orchestrator` unless OTEL_SERVICE_NAME says otherwise. */
  readonly service: string;
  readonly config: TelemetryConfig;
  readonly log: TelemetryLog;
}

/** A running SDK. */
export interface OpenSdk {
  readonly tracer: Tracer | undefined;
  readonly ids: DerivedIds;
  readonly meter: Meter | undefined;
  /** Where metrics are fetched, if they are. */
  readonly metricsPort: number | undefined;
  /** Sends what is left, for 5 seconds at most. */
  close(): Promise<void>;
}

/**
 * Starts the SDK, as the standard variables say: they are read from the environment of the process. Loaded only now:
 * a process that tells nobody anything should not pay for it.
 * @throws SkillyardError CONFIG_INVALID
 */
export async function openSdk(options: SdkOptions, exporting: Exporting): Promise<OpenSdk> {
  const { service, config, log } = options;
  const [{ NodeSDK, resources }, { AlwaysOnSampler }, { PrometheusExporter }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-prometheus'),
  ]);
  logComplaints(log);
  const ids = new DerivedIds();
  const pulled =
    exporting.metrics === 'pull' ? new PrometheusExporter({ preventServerStart: true }) : undefined;
  const server =
    pulled &&
    (await startMetricsServer(
      { host: config.metrics_host ?? '127.0.0.1', port: config.metrics_port ?? 0 },
      (request, response) => pulled.getMetricsRequestHandler(request, response),
    ));
  if (server !== undefined) log.info({ port: server.port }, 'metrics are served at /metrics');
  const sdk = new NodeSDK({
    resource: resources.defaultResource().merge(
      resources.resourceFromAttributes({
        'service.name': `skillyard-${service}`,
        'service.instance.id': `${hostname()}:${process.pid}`,
      }),
    ),
    // Not the one for processes: it tells the command line, which may hold the password of Redis.
    resourceDetectors: [resources.hostDetector, resources.envDetector],
    idGenerator: ids,
    // Who is recorded is decided before a span is begun.
    sampler: new AlwaysOnSampler(),
    // Nothing here finds out by itself what belongs to which span.
    contextManager: NO_CONTEXT,
    textMapPropagator: null,
    logRecordProcessors: [],
    ...(!exporting.traces && { spanProcessors: [] }),
    ...(exporting.metrics === 'off' && { metricReaders: [] }),
    ...(pulled && { metricReaders: [pulled], views: PROMETHEUS_VIEWS }),
  });
  sdk.start();
  return {
    tracer: exporting.traces ? trace.getTracer(SCOPE) : undefined,
    ids,
    meter: exporting.metrics === 'off' ? undefined : metrics.getMeter(SCOPE),
    metricsPort: server?.port,
    close: async () => {
      await server?.close();
      await inTime(sdk.shutdown(), log);
      trace.disable();
      metrics.disable();
      context.disable();
      diag.disable();
    },
  };
}

async function inTime(shutdown: Promise<void>, log: TelemetryLog): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'over'>((resolve) => {
    timer = setTimeout(() => resolve('over'), FLUSH_MS);
  });
  const ended = shutdown.catch((error: unknown) => log.debug({ reason: String(error) }, 'telemetry'));
  if ((await Promise.race([ended, over])) === 'over')
    log.warn({ ms: FLUSH_MS }, 'the last of telemetry could not be sent in time');
  clearTimeout(timer);
}
