import type { JsonObject } from '@skillyard/contracts';
import type { ListedTool, ToolAnswer, ToolCallOptions, ToolServer } from '../tools/tool-server.ts';

/** A tool that runs in this process. */
export interface BuiltinTool {
  readonly listed: ListedTool;
  run(args: JsonObject, options: ToolCallOptions): Promise<ToolAnswer>;
}

/** The server named `builtin`: tools of our own that are called as any other, with the same checks. */
export function builtinServer(tools: readonly BuiltinTool[]): ToolServer {
  const listed = tools.map((tool) => tool.listed);
  return {
    tools: async () => listed,
    forgetTools: () => {},
    call: async (name, args, options) => {
      const tool = tools.find((candidate) => candidate.listed.name === name);
      if (tool === undefined) return { text: `there is no built-in tool ${name}`, failed: true };
      return tool.run(args, options);
    },
    close: async () => {},
  };
}
