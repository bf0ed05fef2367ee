import type { Program } from './program.ts';

/** The pseudo-server of built-in tools: in every radius that an `on_server` names it in. */
const BUILTIN_SERVER = 'builtin';

/**
 * Whether a step may reach a server: the flow lists it, or it is `builtin` (spec section 8).
 * @returns what to say when it may not
 */
export function radiusRefusal(program: Program, server: string): string | undefined {
  if (server === BUILTIN_SERVER || program.tools?.includes(server)) return undefined;
  if (server === '') return 'on_server came to an empty name';
  const listed = program.tools === null ? 'declares no tools' : `lists ${program.tools.join(', ') || 'none'}`;
  return `server "${server}" is outside the radius: the workflow ${listed}`;
}
