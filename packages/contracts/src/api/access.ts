import { Type, type Static } from 'typebox';
import { EPOCH_MS } from './epoch-ms.ts';

/**
 * What a key or a token may do. None of them contains another.
 *
 * - `submit`: hand in turns, cancel them, and keep schedules.
 * - `read`: see turns, their traces, values and questions, skills, and the depth of queues.
 * - `answer`: answer the questions of turns.
 * - `operate`: redrive and resolve failed jobs; pause and resume queues, for who acts for all tenants.
 * - `admin`: upload and delete skills, make and revoke keys, read the audit log.
 */
export const ApiScope = Type.Enum(['submit', 'read', 'answer', 'operate', 'admin']);
export type ApiScope = Static<typeof ApiScope>;

export const TENANT_PATTERN = '^[a-z0-9][a-z0-9_-]{0,49}$';
/** Name of a tenant. Whoever uses an installation alone is `default`. */
export const Tenant = Type.String({ pattern: TENANT_PATTERN });
export type Tenant = Static<typeof Tenant>;

/** The tenant of turns that nobody else was named for. */
export const DEFAULT_TENANT = 'default';

/** Stands for all tenants: who acts for the installation, and the limits of tenants that have none of their own. */
export const ALL_TENANTS = '*';

/** Who makes a request, once that is known. */
export const Caller = Type.Object({
  tenant: Type.Union([Tenant, Type.Literal(ALL_TENANTS)], { description: '`*` acts for every tenant.' }),
  subject: Type.String({ maxLength: 200, description: 'The key or the person, for the audit log.' }),
  scopes: Type.Array(ApiScope),
  roles: Type.Array(Type.String({ maxLength: 100 }), { description: 'Names that the policy knows.' }),
});
export type Caller = Static<typeof Caller>;

/** What is asked for when a key is made. */
export const ApiKeyRequest = Type.Object(
  {
    tenant: Type.Optional(Caller.properties.tenant),
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What it is for.' }),
    scopes: Type.Array(ApiScope, { minItems: 1, uniqueItems: true }),
    roles: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
    expiresAtMs: Type.Optional(Type.Integer(EPOCH_MS)),
  },
  { additionalProperties: false },
);
export type ApiKeyRequest = Static<typeof ApiKeyRequest>;

/** A key as it can be shown: without its secret. */
export const ApiKey = Type.Object({
  keyId: Type.String(),
  tenant: Caller.properties.tenant,
  name: Type.String(),
  scopes: Type.Array(ApiScope),
  roles: Type.Array(Type.String()),
  createdAtMs: Type.Integer(),
  createdBy: Type.String(),
  expiresAtMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type ApiKey = Static<typeof ApiKey>;

/** A key that was made just now. The secret is shown this once: only its hash is kept. */
export const CreatedApiKey = Type.Object({ key: ApiKey, secret: Type.String() });
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) });
export type ApiKeyList = Static<typeof ApiKeyList>;

/** One line of the audit log: who did what that others feel. */
export const AuditEntry = Type.Object({
  id: Type.String(),
  atMs: Type.Integer(),
  tenant: Caller.properties.tenant,
  subject: Type.String(),
  operation: Type.String({ description: 'The operation of the API, as the OpenAPI document names it.' }),
  target: Type.String({ description: 'The turn, job, queue, skill or key it was about.' }),
  status: Type.Integer({ description: 'The HTTP status it was answered with.' }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry),
  next: Type.Union([Type.String(), Type.Null()]),
});
export type AuditPage = Static<typeof AuditPage>;
