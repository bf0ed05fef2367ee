import {
  API_ROUTES,
  type ApiOperation,
  type ApiScope,
  type Config,
  type HttpConfig,
  type Problem,
} from '@skillyard/contracts';
import { ApiKeys, MODEL_CLASS } from '@skillyard/queue';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { OrchestratorOptions } from '../src/index.ts';
import { type Answer, type Cluster, startCluster } from './cluster.ts';

/** An orchestrator with its HTTP API, and workers, in this process. */
export interface HttpRig {
  readonly cluster: Cluster;
  readonly url: string;
  /** Makes a key. @returns its secret */
  key(tenant: string, scopes?: ApiScope[]): Promise<string>;
  /** Calls an operation and checks that its reply fits the table. */
  call<T = unknown>(operation: ApiOperation, options?: CallOptions): Promise<T>;
  /** Calls an operation that is refused. */
  refused(operation: ApiOperation, options?: CallOptions): Promise<Problem & { readonly headers: Headers }>;
  fetch(operation: ApiOperation, options?: CallOptions): Promise<Response>;
  /** Stops all of it. Once more is the same as once. */
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const ALL: ApiScope[] = ['submit', 'read', 'answer', 'operate', 'admin'];

/**
 * @param http    what differs from an API on a free port to which everybody has to say who they are
 * @param orchestratorOptions what differs from those of a cluster
 */
export async function startHttpRig(
  redisUrl: string,
  answer: Answer,
  { http = {}, ...config }: Config & { http?: HttpConfig } = {},
  orchestratorOptions: Partial<OrchestratorOptions> = {},
): Promise<HttpRig> {
  const cluster = await startCluster(redisUrl, answer, {
    ...config,
    http: { port: 0, auth: 'required', ...http },
  });
  const orchestrator = await cluster.orchestrator(orchestratorOptions);
  await cluster.worker(MODEL_CLASS);
  const url = orchestrator.http;
  if (url === null) throw new Error('an orchestrator with a port has an API');
  const keys = new ApiKeys(cluster.connection);
  const key = async (tenant: string, scopes = ALL): Promise<string> =>
    (await keys.create({ tenant, name: 'test', scopes }, 'test')).secret;
  const all = await key('*');
  let stopping: Promise<void> | undefined;
  const send = (operation: ApiOperation, options: CallOptions = {}): Promise<Response> => {
    const { method, path } = API_ROUTES[operation];
    const { params = {}, query = '', body, headers = {}, signal } = options;
    const target = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    return fetch(`${url}${target}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${options.key ?? all}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  };
  return {
    cluster,
    url,
    key,
    fetch: send,
    call: async <T>(operation: ApiOperation, options?: CallOptions): Promise<T> => {
      const { status, schema } = API_ROUTES[operation].reply;
      const response = await send(operation, options);
      const text = await response.text();
      expect({ status: response.status, text }).toMatchObject({ status });
      if (schema === null) return undefined as T;
      const reply: unknown = JSON.parse(text);
      expect([operation, ...Value.Errors(schema, reply)]).toEqual([operation]);
      return reply as T;
    },
    refused: async (operation, options) => {
      const response = await send(operation, options);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const problem = (await response.json()) as Problem;
      expect(problem.status).toBe(response.status);
      expect(problem.instance).toBe(response.headers.get('x-request-id'));
      return { ...problem, headers: response.headers };
    },
    stop: () => (stopping ??= cluster.close()),
  };
}
