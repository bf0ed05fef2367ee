import { ALL_TENANTS, type ApiScope, type Caller, SkillyardError } from '@skillyard/contracts';

/**
 * Lets a caller pass who has a scope.
 * @param scope null: being known is enough
 * @throws SkillyardError FORBIDDEN
 */
export function requireScope({ scopes }: Caller, scope: ApiScope | null): void {
  if (scope === null || scopes.includes(scope)) return;
  throw new SkillyardError(
    'FORBIDDEN',
    `this needs the scope "${scope}", which the key or token does not have`,
    {
      details: { scope },
    },
  );
}

/**
 * Lets a caller pass who acts for the whole installation.
 * @throws SkillyardError FORBIDDEN
 */
export function requireAllTenants({ tenant }: Caller): void {
  if (tenant === ALL_TENANTS) return;
  throw new SkillyardError(
    'FORBIDDEN',
    'this concerns all tenants, and needs a key or token that acts for all of them',
  );
}

/** Whether something of a tenant exists for a caller. What is another's is answered as what is not there. */
export function maySee(caller: Pick<Caller, 'tenant'>, tenant: string): boolean {
  return caller.tenant === ALL_TENANTS || caller.tenant === tenant;
}
