import { Type, type Static } from 'typebox';
import { Duration, DURATION_PATTERN } from './duration.ts';

const strict = { additionalProperties: false };
const envName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' });

/** JSON Web Tokens as an alternative to API keys. */
export const JwtConfig = Type.Object(
  {
    jwks_url: Type.String({ minLength: 1, description: 'Where the public keys of the issuer are.' }),
    issuer: Type.String({ minLength: 1 }),
    audience: Type.String({ minLength: 1 }),
    tenant_claim: Type.Optional(Type.String({ description: '`tenant` when absent.' })),
    scopes_claim: Type.Optional(
      Type.String({ description: 'A list, or words with spaces between; `scope` when absent.' }),
    ),
    roles_claim: Type.Optional(Type.String({ description: 'A list; `roles` when absent.' })),
  },
  strict,
);
export type JwtConfig = Static<typeof JwtConfig>;

/** The HTTP API and the console, which orchestrators serve. */
export const HttpConfig = Type.Object(
  {
    host: Type.Optional(Type.String({ minLength: 1, description: '127.0.0.1 when absent.' })),
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'Without it there is no API; 0 takes a free one.',
      }),
    ),
    auth: Type.Optional(
      Type.Enum(['required', 'off'], {
        description:
          '`off`: everybody may do everything, on a loopback host only. When absent, `off` on a loopback host without `jwt` and `public_url`, else `required`.',
      }),
    ),
    jwt: Type.Optional(JwtConfig),
    public_url: Type.Optional(
      Type.String({ minLength: 1, description: 'How it is reached from outside, for links and documents.' }),
    ),
    console: Type.Optional(
      Type.Boolean({ description: 'Whether the console is served, at `/`; true when absent.' }),
    ),
    max_body_bytes: Type.Optional(
      Type.Integer({ minimum: 1024, maximum: 67_108_864, description: '2 MiB when absent.' }),
    ),
    max_streams: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Open event streams of one process; 2000 when absent.',
      }),
    ),
    requests_per_minute: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Of one tenant, unless `tenants` says otherwise; 6000 when absent.',
      }),
    ),
  },
  strict,
);
export type HttpConfig = Static<typeof HttpConfig>;

/** What one tenant may take. */
export const TenantConfig = Type.Object(
  {
    weight: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1000,
        description: 'Its share where jobs have to wait; 1 when absent.',
      }),
    ),
    active_turns: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Turns that have not ended; a submission above it is refused.',
      }),
    ),
    jobs_in_flight: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Step jobs at workers or in their queues, per orchestrator; others wait.',
      }),
    ),
    requests_per_minute: Type.Optional(Type.Integer({ minimum: 1 })),
    max_streams: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Open event streams, per orchestrator.' }),
    ),
  },
  strict,
);
export type TenantConfig = Static<typeof TenantConfig>;

/** What the policy file says: which tools the callers of a role may reach. */
export const PolicyFile = Type.Object(
  {
    roles: Type.Record(
      Type.String({ minLength: 1, maxLength: 100 }),
      Type.Object(
        {
          allow: Type.Array(Type.String({ minLength: 1 }), {
            description: '`server`, `server:tool`, or `*` for everything.',
          }),
          deny: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), {
              description: 'Taken away again, whatever another role allows.',
            }),
          ),
        },
        strict,
      ),
    ),
    default_roles: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of callers that have none; nothing is allowed when absent.',
      }),
    ),
  },
  strict,
);
export type PolicyFile = Static<typeof PolicyFile>;

/** Requests that tell others of the end of a turn. */
export const WebhooksConfig = Type.Object(
  {
    allow: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Origins, or beginnings of addresses, that may be told. https unless one says http://.',
    }),
    secret_env: envName,
    attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '8 when absent.' })),
    timeout: Type.Optional(Duration),
  },
  strict,
);
export type WebhooksConfig = Static<typeof WebhooksConfig>;

/** What is kept of the work of a turn for people to look at. */
export const HistoryConfig = Type.Object(
  {
    steps: Type.Optional(
      Type.Enum(['on', 'off'], {
        description:
          'Keep what each step was given and what it gave, as long as the turn is kept; `off` when absent.',
      }),
    ),
    max_bytes: Type.Optional(
      Type.Integer({ minimum: 256, maximum: 1_048_576, description: 'Of one text; 16 KiB when absent.' }),
    ),
    retention: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: 'How long an ended turn can be seen, a minute at least; 24h when absent.',
      }),
    ),
  },
  strict,
);
export type HistoryConfig = Static<typeof HistoryConfig>;

/** OpenTelemetry. Where it is sent is said by the standard OTEL_ variables. */
export const TelemetryConfig = Type.Object(
  {
    content: Type.Optional(
      Type.Enum(['off', 'on'], {
        description: 'Whether spans hold instructions, arguments and answers; `off` when absent.',
      }),
    ),
    metrics_host: Type.Optional(Type.String({ minLength: 1, description: '127.0.0.1 when absent.' })),
    metrics_port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'Serves /metrics for Prometheus, and /healthz.',
      }),
    ),
  },
  strict,
);
export type TelemetryConfig = Static<typeof TelemetryConfig>;
