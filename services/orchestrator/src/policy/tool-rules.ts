import { BUILTIN_CLASS, type PolicyFile } from '@skillyard/contracts';

/** What a role may reach: entries are `*`, `server`, or `server:tool`. */
export interface ToolRules {
  readonly allow: ReadonlySet<string>;
  /** Taken away again, whatever another role allows. */
  readonly deny: ReadonlySet<string>;
}

export function rulesOf({ allow, deny = [] }: PolicyFile['roles'][string]): ToolRules {
  return { allow: new Set(allow), deny: new Set(deny) };
}

/** Built-in tools that read what a turn or the installation holds anyway. They need no `allow`, but can be denied. */
const HARMLESS: ReadonlySet<string> = new Set(['memory_read', 'activate_skill']);

/**
 * Whether whoever has these rules may reach a tool.
 * @param tool empty: any tool of the server at all
 */
export function mayReach(rules: readonly ToolRules[], server: string, tool: string): boolean {
  if (rules.some(({ deny }) => covers(deny, server, tool))) return false;
  if (isHarmless(server, tool) || rules.some(({ allow }) => covers(allow, server, tool))) return true;
  return (
    tool === '' &&
    rules.some(({ allow }) => singles(allow, server).some((one) => mayReach(rules, server, one)))
  );
}

/** Whether every tool of a server may be reached, those that it does not have yet included. */
export function mayReachAll(rules: readonly ToolRules[], server: string): boolean {
  const isWhole = rules.some(({ allow }) => covers(allow, server, ''));
  return isWhole && !rules.some(({ deny }) => covers(deny, server, '') || singles(deny, server).length > 0);
}

function isHarmless(server: string, tool: string): boolean {
  return server === BUILTIN_CLASS && (tool === '' || HARMLESS.has(tool));
}

function covers(rules: ReadonlySet<string>, server: string, tool: string): boolean {
  return rules.has('*') || rules.has(server) || (tool !== '' && rules.has(`${server}:${tool}`));
}

/** The tools of a server that have a rule of their own. */
function singles(rules: ReadonlySet<string>, server: string): string[] {
  const start = `${server}:`;
  return [...rules].filter((rule) => rule.startsWith(start)).map((rule) => rule.slice(start.length));
}
