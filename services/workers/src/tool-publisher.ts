import type { ToolEffect } from '@skillyard/contracts';
import type { Executors, ToolDescription } from '@skillyard/executors';
import type { RedisToolCatalog } from '@skillyard/queue';
import type { Logger } from './logger.ts';

/** How often a server is asked again what it offers. */
const REFRESH_MS = 5 * 60_000;
/** How soon a server that could not be asked is asked again. */
const RETRY_MS = 10_000;

export interface ToolPublisherParts {
  readonly executors: Executors;
  readonly catalog: RedisToolCatalog<ToolDescription>;
  readonly servers: readonly string[];
  readonly log: Logger;
}

/**
 * Tells the model workers what the tool servers of this worker offer, now and every few minutes.
 * A server that cannot be asked does not stop the worker: its calls fail with their own reason meanwhile.
 */
export function publishTools(parts: ToolPublisherParts): { close(): void } {
  const abort = new AbortController();
  for (const server of parts.servers) void keepPublishing(parts, server, abort.signal);
  return { close: () => abort.abort() };
}

async function keepPublishing(parts: ToolPublisherParts, server: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const published = await publishOnce(parts, server, signal);
    await pause(published ? REFRESH_MS : RETRY_MS, signal);
  }
}

async function publishOnce(
  { executors, catalog, log }: ToolPublisherParts,
  server: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const tools = await executors.describeTools([server], signal);
    const effects: Record<string, ToolEffect> = {};
    for (const { tool } of tools) effects[tool] = await executors.effectOf(server, tool, signal);
    await catalog.publish(server, { tools, effects });
    log.info({ server, tools: tools.length }, 'tool server is there');
    return true;
  } catch (error) {
    if (!signal.aborted)
      log.warn({ server, reason: error instanceof Error ? error.message : String(error) }, 'tool server');
    return false;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
