import type { JsonObject, TurnId } from '@skillyard/contracts';

/** A tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** What the server says of itself; believed only when the configuration trusts it. */
  readonly readOnlyHint: boolean;
  readonly idempotentHint: boolean;
  /** What a model that may call it is told before the conversation. */
  readonly guide?: string;
}

/** What a tool gave. */
export interface ToolAnswer {
  readonly text: string;
  /** The tool ran and says that it failed. */
  readonly failed: boolean;
}

export interface ToolCallOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whose call it is: built-in tools see this turn's values and no others. */
  readonly turnId: TurnId;
}

/**
 * Something that has tools: an MCP server, or the built-in one.
 *
 * Failures are thrown as SkillyardError. `details.sent` is true once the request may have reached the tool, so that a
 * caller can tell what must not be repeated.
 */
export interface ToolServer {
  /** Its tools, as last heard of. */
  tools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  /** Forgets the list, so that the next question asks the server. */
  forgetTools(): void;
  call(tool: string, args: JsonObject, options: ToolCallOptions): Promise<ToolAnswer>;
  close(): Promise<void>;
}
