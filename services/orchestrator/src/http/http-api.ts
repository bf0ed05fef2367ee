import {
  ApiKeys,
  AuditLog,
  connect,
  type QueueConnection,
  RequestRates,
  Schedules,
  TurnIndex,
  UploadedSkills,
} from '@skillyard/queue';
import { TenantLimits } from '../fairness/tenant-limits.ts';
import type { Installation } from '../installation.ts';
import type { OrchestratorOptions } from '../orchestrator-options.ts';
import { Pace } from '../skills/pace.ts';
import { SkillShelf } from '../skills/skill-shelf.ts';
import { accessMode, DEFAULT_HOST } from './access/access-mode.ts';
import { Authenticator } from './access/authenticator.ts';
import { AuditTrail } from './audit-trail.ts';
import { Gate } from './gate.ts';
import { allHandlers } from './handlers/all-handlers.ts';
import { type HttpServer, startServer } from './server.ts';
import { findSite } from './site.ts';
import { StreamSlots } from './stream-slots.ts';

const DEFAULT_STREAMS = 2000;
const DEFAULT_REQUESTS_PER_MINUTE = 6000;

/**
 * Starts the HTTP API with the console.
 * Over a connection to Redis of its own, whose commands fail while Redis is away: a request is answered, not kept waiting.
 * @returns null when the configuration asks for none
 * @throws SkillyardError CONFIG_INVALID, REDIS_UNAVAILABLE, API_UNAVAILABLE
 */
export async function startHttpApi(
  options: OrchestratorOptions,
  installation: Installation,
): Promise<HttpServer | null> {
  const { config, log } = options;
  const { http = {} } = config;
  const { host = DEFAULT_HOST, port } = http;
  if (port === undefined) return null;
  const auth = accessMode({ ...http, host });
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: options.redisUrl,
    ...(prefix !== undefined && { prefix }),
    whenAway: 'fail',
    onError: (error) => log.warn({ reason: error.message }, 'connection of the API to Redis'),
  });
  try {
    return await serve(options, connection, { host, port, auth, ...installation });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function serve(
  { config, telemetry, streamHeartbeatMs, log }: OrchestratorOptions,
  connection: QueueConnection,
  {
    auth,
    policy,
    folders,
    ...place
  }: Installation & { readonly host: string; readonly port: number; readonly auth: 'required' | 'off' },
): Promise<HttpServer> {
  const { http = {} } = config;
  const limits = new TenantLimits(config.tenants, new TurnIndex(connection));
  const shelf = new SkillShelf(new UploadedSkills(connection), folders, Date.now, new Pace());
  const keys = new ApiKeys(connection);
  const authenticator = new Authenticator({ ...http, auth }, keys);
  const perMinute = http.requests_per_minute ?? DEFAULT_REQUESTS_PER_MINUTE;
  const audit = new AuditLog(connection);
  const schedules = new Schedules(connection);
  const server = await startServer({
    ...place,
    handlers: allHandlers({
      config,
      connection,
      limits,
      shelf,
      policy,
      keys,
      audit,
      schedules,
      traces: telemetry,
    }),
    gate: new Gate({
      authenticate: (headers) => authenticator.authenticate(headers),
      rates: new RequestRates(connection),
      requestsPerMinute: (tenant) => limits.of(tenant).requests_per_minute ?? perMinute,
    }),
    audit: new AuditTrail(audit, log),
    slots: new StreamSlots({
      all: http.max_streams ?? DEFAULT_STREAMS,
      ofTenant: (tenant) => limits.of(tenant).max_streams,
    }),
    streamHeartbeatMs,
    log,
    maxBodyBytes: http.max_body_bytes,
    publicUrl: http.public_url,
    site: http.console === false ? null : findSite(),
    ready: () => connection.ping(),
  });
  log.info({ url: server.url, auth }, 'the API listens');
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await schedules.close();
      await connection.close();
    },
  };
}
