import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type Values = Readonly<Record<string, unknown>>;

/** A span, as a collector gets it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Values;
  readonly links: readonly { readonly spanId: string; readonly attributes: Values }[];
  /** 2: it failed. */
  readonly status: { readonly code?: number; readonly message?: string };
}

/** A collector that keeps what it is sent: OTLP over HTTP, as JSON. */
export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT, with OTEL_EXPORTER_OTLP_PROTOCOL `http/json`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Names of the instruments that were sent. */
  readonly metrics: ReadonlySet<string>;
  /** All that was sent, as text. */
  text(): string;
  close(): Promise<void>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The JSON of an export of spans, as far as it is read. */
interface Traces {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly links?: readonly { readonly spanId: string; readonly attributes?: readonly KeyValue[] }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface Metrics {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Set<string>();
  let text = '';
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      text += body;
      if (request.url === '/v1/traces') spans.push(...readSpans(JSON.parse(body) as Traces));
      if (request.url === '/v1/metrics')
        for (const name of namesIn(JSON.parse(body) as Metrics)) metrics.add(name);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    text: () => text,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
}

function readSpans({ resourceSpans = [] }: Traces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(service, span)));
  });
}

function readSpan(service: string, span: WireSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId = '', name, kind, status = {} } = span;
  return {
    service,
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    attributes: valuesOf(span.attributes),
    links: (span.links ?? []).map((link) => ({
      spanId: link.spanId,
      attributes: valuesOf(link.attributes),
    })),
    status,
  };
}

function namesIn({ resourceMetrics = [] }: Metrics): string[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
  );
}

/** `{intValue: 3}` is 3, and so on; integers may come as text. */
function valuesOf(attributes: readonly KeyValue[] = []): Values {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [kind = '', plain] = Object.entries(value)[0] ?? [];
      return [key, kind === 'intValue' ? Number(plain) : plain];
    }),
  );
}
