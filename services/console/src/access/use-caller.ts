import type { ApiScope, Caller } from '@skillyard/contracts';
import { createContext, useContext } from 'react';

/** Who the API takes this page for. */
export const CallerContext = createContext<Caller>({ tenant: '*', subject: '', scopes: [], roles: [] });

/** Who is signed in, and what they may do. */
export function useCaller(): Caller & {
  may(scope: ApiScope): boolean;
  /** Whether the caller acts for the installation, not for one tenant. */
  readonly actsForAll: boolean;
} {
  const caller = useContext(CallerContext);
  return { ...caller, may: (scope) => caller.scopes.includes(scope), actsForAll: caller.tenant === '*' };
}
