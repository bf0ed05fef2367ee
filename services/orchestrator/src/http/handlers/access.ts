import { ALL_TENANTS, type ApiKeyRequest, type Caller, SkillyardError } from '@skillyard/contracts';
import type { ApiKeys, AuditLog } from '@skillyard/queue';
import type { Policy } from '../../policy/policy.ts';
import { tenantOf } from '../../submission.ts';
import type { Handlers } from '../handler.ts';

export interface AccessParts {
  readonly keys: Pick<ApiKeys, 'create' | 'list' | 'revoke'>;
  readonly audit: Pick<AuditLog, 'list'>;
  readonly policy: Pick<Policy, 'refusalToGive'>;
}

/** Callers, their keys, and what they did. */
export function accessHandlers({
  keys,
  audit,
  policy,
}: AccessParts): Pick<Handlers, 'getCaller' | 'listKeys' | 'createKey' | 'revokeKey' | 'listAudit'> {
  return {
    getCaller: ({ caller }) => Promise.resolve(caller),
    listKeys: async ({ caller }) => ({ keys: await keys.list(caller.tenant) }),
    createKey: ({ caller, body }) => keys.create(givenBy(caller, body, policy), caller.subject),
    revokeKey: async ({ caller, params }) => {
      await keys.revoke(params.keyId, caller.tenant);
      return undefined;
    },
    listAudit: ({ caller, query }) => audit.list({ tenant: caller.tenant, ...query }),
  };
}

/**
 * What a caller asks for, where nothing of it is more than the caller has. Roles that are not named are the caller's.
 * @throws SkillyardError FORBIDDEN
 */
function givenBy(
  caller: Caller,
  request: ApiKeyRequest,
  policy: Pick<Policy, 'refusalToGive'>,
): ApiKeyRequest {
  const { scopes, roles = caller.roles } = request;
  const tenant = caller.tenant === ALL_TENANTS ? request.tenant : tenantOf(caller, request.tenant);
  const scope = scopes.find((one) => !caller.scopes.includes(one));
  const refusal =
    scope === undefined
      ? policy.refusalToGive(caller.roles, roles)
      : `you do not have the scope "${scope}" yourself`;
  if (refusal !== null) throw new SkillyardError('FORBIDDEN', `the key is not made: ${refusal}`);
  return { ...request, roles, ...(tenant !== undefined && { tenant }) };
}
