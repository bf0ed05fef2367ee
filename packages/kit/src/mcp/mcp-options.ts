export interface McpOptions {
  /** The host that the preamble is for; `generic` when absent. */
  readonly host?: string;
  /** Tools that the agent has beside those of its host. */
  readonly tools?: readonly string[];
  /** true: `tools` are all it has. */
  readonly isSubagent?: boolean;
  /** The folder that `references/` lies in. */
  readonly skillDir: string;
  /** Where sessions are kept, so that they survive the process; absent: in memory, for a day after their last use. */
  readonly sessionDir?: string;
  /** Gets one line for what is odd but stops nothing; absent: it goes to stderr. */
  readonly warn?: (line: string) => void;
}
