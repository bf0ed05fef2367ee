import {
  ALL_TENANTS,
  type ApiKey,
  type ApiKeyRequest,
  type ApiScope,
  type AuditEntry,
  DEFAULT_TENANT,
  parseDurationMs,
  SkillyardError,
  TENANT_PATTERN,
} from '@skillyard/contracts';
import type { ApiKeys } from '@skillyard/queue';
import type { Command } from 'commander';
import { addSystemOptions, operatorName, type SystemOptions } from '../queue/as-operator.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { oneLine } from '../terminal/terminal.ts';
import { type Attach, collect, type CommandContext, readChoice } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface CreateOptions extends SystemOptions {
  readonly name: string;
  readonly tenant: string;
  readonly scope: readonly string[];
  readonly role?: readonly string[];
  readonly expires?: string;
}

const SCOPES: readonly ApiScope[] = ['submit', 'read', 'answer', 'operate', 'admin'];
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_NAME = 100;

/** `skillyard keys`: the keys of the HTTP API. Whoever may write to Redis may make any of them: so is the first one made. */
export function addKeys(program: Command, attach: Attach): void {
  const keys = program
    .command('keys')
    .summary('make, list and revoke keys of the HTTP API')
    .description('Makes, lists and revokes keys of the HTTP API, in Redis itself: no API need be running.');
  addCreate(keys, attach);
  addList(keys, attach);
  addRevoke(keys, attach);
}

function addCreate(keys: Command, attach: Attach): void {
  const create = keys
    .command('create')
    .summary('make a key, and print its secret this once')
    .description('Makes a key. Its secret goes to standard output, this once: only its hash is kept.')
    .requiredOption('--name <text>', 'what it is for')
    .requiredOption('--scope <scope>', `${SCOPES.join(', ')}; repeat for several`, collect)
    .option('--tenant <name>', 'whose key it is; `*` acts for all tenants', DEFAULT_TENANT)
    .option('--role <role>', 'what the policy lets it reach; repeat for several', collect)
    .option('--expires <duration>', 'such as 12h or 90d; never when absent');
  attach<CreateOptions>(addSystemOptions(create), async (context, _args, options) => {
    const request = readRequest(options, Date.now());
    const { key, secret } = await withKeys(context, options, async (keysOf, note) => {
      const created = await keysOf.create(request, by(context));
      await note({
        tenant: created.key.tenant,
        operation: 'createKey',
        target: created.key.keyId,
        status: 201,
      });
      return created;
    });
    const { terminal } = context;
    if (terminal.json) terminal.document({ key, secret });
    else terminal.out(secret);
    terminal.err(`made ${describe(key)}. Keep the secret: it cannot be shown again.`);
    return EXIT.completed;
  });
}

function addList(keys: Command, attach: Attach): void {
  const list = keys
    .command('list')
    .summary('list the keys, without their secrets')
    .option('--tenant <name>', 'those of one tenant');
  attach<SystemOptions & { readonly tenant?: string }>(
    addSystemOptions(list),
    async (context, _args, options) => {
      const tenant = readTenant(options.tenant ?? ALL_TENANTS);
      const found = await withKeys(context, options, (keysOf) => keysOf.list(tenant));
      const { terminal } = context;
      if (terminal.json) terminal.document({ keys: found });
      else if (found.length === 0) terminal.err('no keys; make one with `skillyard keys create`');
      else for (const line of tableOf(found)) terminal.out(line);
      return EXIT.completed;
    },
  );
}

function addRevoke(keys: Command, attach: Attach): void {
  const revoke = keys
    .command('revoke')
    .summary('make a key worthless from this moment on')
    .argument('<key-id>', 'as `skillyard keys list` prints it');
  attach<SystemOptions>(addSystemOptions(revoke), async (context, [keyId = ''], options) => {
    await withKeys(context, options, async (keysOf, note) => {
      await keysOf.revoke(keyId, ALL_TENANTS);
      await note({ tenant: ALL_TENANTS, operation: 'revokeKey', target: keyId, status: 204 });
    });
    const { terminal } = context;
    if (terminal.json) terminal.document({ revoked: keyId });
    else terminal.err(`revoked ${keyId}`);
    return EXIT.completed;
  });
}

type Note = (entry: Pick<AuditEntry, 'tenant' | 'operation' | 'target' | 'status'>) => Promise<void>;

/** Does work with the keys of the system that is meant. What it changes, it notes in the audit log. */
async function withKeys<T>(
  context: CommandContext,
  options: SystemOptions,
  work: (keys: ApiKeys, note: Note) => Promise<T>,
): Promise<T> {
  const { surroundings } = context;
  const { config } = await loadCommandConfig(surroundings, { file: options.config });
  const [{ ApiKeys: Keys, AuditLog }, { withConnection }] = await Promise.all([
    import('@skillyard/queue'),
    import('../queue/with-connection.ts'),
  ]);
  return withConnection(surroundings, config, options.redis, (connection) => {
    const audit = new AuditLog(connection);
    return work(new Keys(connection), (entry) =>
      audit.record({ ...entry, atMs: Date.now(), subject: by(context) }),
    );
  });
}

function by(context: CommandContext): string {
  return `cli:${operatorName(context)}`;
}

function readRequest(
  { name, tenant, scope, role = [], expires }: CreateOptions,
  nowMs: number,
): ApiKeyRequest {
  if (name.trim() === '' || name.length > MAX_NAME)
    throw new SkillyardError(
      'INPUT_INVALID',
      `--name takes 1 to ${MAX_NAME} characters that say what the key is for`,
    );
  const scopes = scope.flatMap((one) => readChoice('--scope', one, SCOPES) ?? []);
  return {
    tenant: readTenant(tenant),
    name,
    scopes: [...new Set(scopes)],
    roles: [...new Set(role)],
    ...(expires !== undefined && { expiresAtMs: nowMs + readLifetimeMs(expires) }),
  };
}

function readTenant(text: string): string {
  if (text === ALL_TENANTS || new RegExp(TENANT_PATTERN, 'u').test(text)) return text;
  const message = `--tenant "${text}" is no name of a tenant; write at most 50 of a-z 0-9 _ -, or * for all tenants`;
  throw new SkillyardError('INPUT_INVALID', message);
}

function readLifetimeMs(text: string): number {
  const [, days] = /^([0-9]{1,5})d$/.exec(text) ?? [];
  const ms = days === undefined ? parseDurationMs(text) : Number(days) * DAY_MS;
  if (ms !== undefined && ms > 0) return ms;
  const message = `--expires "${text}" is no duration; write one such as 30m, 12h or 90d`;
  throw new SkillyardError('INPUT_INVALID', message);
}

function describe({ keyId, tenant, scopes, roles, expiresAtMs }: ApiKey): string {
  const whose = tenant === ALL_TENANTS ? 'for all tenants' : `for tenant ${tenant}`;
  const as = roles.length === 0 ? '' : `, as ${roles.join(', ')}`;
  const until = expiresAtMs === null ? '' : `, until ${new Date(expiresAtMs).toISOString()}`;
  return `key ${keyId} ${whose}: ${scopes.join(', ')}${as}${until}`;
}

function tableOf(keys: readonly ApiKey[]): string[] {
  const rows = keys.map(({ keyId, tenant, name, scopes, roles, createdBy, expiresAtMs }) => [
    keyId,
    tenant,
    scopes.join(' '),
    oneLine(roles.join(' '), 40),
    expiresAtMs === null ? 'never' : new Date(expiresAtMs).toISOString(),
    oneLine(createdBy, 40),
    oneLine(name, 60),
  ]);
  return plainTable(
    ['key', 'tenant', 'scopes', 'roles', 'expires', 'made by', 'name'],
    Array.from({ length: 7 }, () => 'left' as const),
    rows,
  );
}
