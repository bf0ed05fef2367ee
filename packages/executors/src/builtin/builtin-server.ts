import type { JsonObject } from '@skillyard/contracts';
import type { ListedTool, ToolAnswer, ToolCallOptions, ToolServer } from '../tools/tool-server.ts';

/** A tool that runs in this process. */
export interface BuiltinTool {
  readonly listed: ListedTool;
  run(args: JsonObject, options: ToolCallOptions): Promise<ToolAnswer>;
}

/**
 * The server named `builtin`: tools of our own that are called as any other, with the same checks.
 * @param tools the tools there are; asked each time, since some depend on what is found on disk
 */
export function builtinServer(tools: () => Promise<readonly BuiltinTool[]>): ToolServer {
  return {
    tools: async () => (await tools()).map((tool) => tool.listed),
    forgetTools: () => {},
    call: async (name, args, options) => {
      const tool = (await tools()).find((candidate) => candidate.listed.name === name);
      if (tool === undefined) return { text: `there is no built-in tool ${name}`, failed: true };
      return tool.run(args, options);
    },
    close: async () => {},
  };
}
