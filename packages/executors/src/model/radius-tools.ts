import { SkillyardError } from '@skillyard/contracts';
import { splitToolRef } from '@skillyard/engine';
import { namesHint } from '../near-names.ts';
import type { ToolCatalog, ToolDescription } from '../tools/tool-servers.ts';

/**
 * The tools of a radius: all tools of a server that is named, and of `server:tool` that one tool.
 * @throws SkillyardError SERVER_UNKNOWN for a server nobody knows, TOOL_UNKNOWN for a single tool that its server does
 *   not have: a model that is silently left without one would work around it
 */
export async function radiusTools(
  radius: readonly string[],
  catalog: ToolCatalog,
  signal: AbortSignal,
): Promise<ToolDescription[]> {
  const whole = new Set(radius.filter((entry) => splitToolRef(entry) === undefined));
  const single = radius.flatMap((entry) => splitToolRef(entry) ?? []).filter((ref) => !whole.has(ref.server));
  const servers = [...new Set([...whole, ...single.map((ref) => ref.server)])];
  const described = await catalog.describeTools(servers, signal);
  for (const { server, tool } of single) {
    const known = described.filter((one) => one.server === server).map((one) => one.tool);
    if (known.includes(tool) || isOptional(server, tool)) continue;
    throw new SkillyardError(
      'TOOL_UNKNOWN',
      `The tool server "${server}" has no tool "${tool}", which the skill names. ${namesHint(tool, known, 'tools')}`,
      { details: { server, sent: false } },
    );
  }
  const isNamed = (one: ToolDescription): boolean =>
    single.some((ref) => ref.server === one.server && ref.tool === one.tool);
  return described.filter((one) => whole.has(one.server) || isNamed(one));
}

/** Where there are no agent skills there is nothing to activate, and no tool for it: that is no mistake of the skill. */
function isOptional(server: string, tool: string): boolean {
  return server === 'builtin' && tool === 'activate_skill';
}
