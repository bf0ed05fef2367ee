import { SkillyardError } from '@skillyard/contracts';
import { createExecutors, createRedactor, type ToolDescription } from '@skillyard/executors';
import type { LoadedConfig } from '@skillyard/runtime';
import { withCancellation } from '../commands/with-cancellation.ts';
import type { Surroundings } from '../surroundings.ts';

/** A tool server that could not be asked for its tools. */
export interface UnreachedServer {
  readonly server: string;
  readonly code: string;
  readonly message: string;
}

/** What tool servers say of themselves. */
export interface LiveTools {
  /** The tools of each server that answered. */
  readonly byServer: ReadonlyMap<string, readonly ToolDescription[]>;
  readonly unreached: readonly UnreachedServer[];
}

/** Programs started at once: each may be a runtime that takes all of a processor while it starts. */
const AT_ONCE = 4;

/**
 * Asks servers of a configuration for their tools. One that cannot be asked is noted; the others still are.
 * @param names   servers of the configuration, or `builtin`
 * @throws SkillyardError TURN_CANCELLED by Ctrl-C
 */
export async function listTools(
  names: readonly string[],
  { config, baseDir }: LoadedConfig,
  surroundings: Surroundings,
): Promise<LiveTools> {
  const executors = createExecutors({ config, env: surroundings.env, baseDir });
  const redact = createRedactor(config, surroundings.env);
  const byServer = new Map<string, readonly ToolDescription[]>();
  const unreached: UnreachedServer[] = [];
  const waiting = names.values();
  const askThem = async (signal: AbortSignal): Promise<void> => {
    for (const server of waiting) {
      try {
        byServer.set(server, await executors.describeTools([server], signal));
      } catch (error) {
        signal.throwIfAborted();
        if (!SkillyardError.is(error)) throw error;
        unreached.push({ server, code: error.code, message: redact(error.message) });
      }
    }
  };
  try {
    await withCancellation(surroundings, undefined, (signal) =>
      Promise.all(Array.from({ length: AT_ONCE }, () => askThem(signal))),
    );
  } finally {
    await executors.close();
  }
  return { byServer, unreached };
}
