import type { Buildable } from '../definition/skill-definition.ts';

export interface McpOptions {
  /** The host that the preamble is for; `generic` when absent. */
  readonly host?: string;
  /** Tools that the agent has beside those of its host. */
  readonly tools?: readonly string[];
  readonly isSubagent?: boolean;
  /** The folder that `references/` lies in. */
  readonly skillDir: string;
  /** Where sessions are kept, so that they survive the process; absent: in memory. */
  readonly sessionDir?: string;
}

/** Serves a skill over stdio until the client closes it. */
export async function serveMcp(_definition: Buildable, _options: McpOptions): Promise<void> {
  await Promise.resolve();
  throw new Error('not yet');
}
