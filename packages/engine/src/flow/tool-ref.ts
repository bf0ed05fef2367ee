import { trimSpace } from './white-space.ts';

/** A tool as a flow names it: `server:tool`. Either part may be empty. */
export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

/**
 * Takes `server:tool` apart at its first colon; the blanks around the parts do not count.
 * @returns undefined without a colon
 */
export function splitToolRef(ref: string): ToolRef | undefined {
  const colon = ref.indexOf(':');
  if (colon < 0) return undefined;
  return { server: trimSpace(ref.slice(0, colon)), tool: trimSpace(ref.slice(colon + 1)) };
}
