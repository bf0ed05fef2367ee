import { createExecutors } from '@skillyard/executors';
import { type ExecuteJob, type QueueConnection, RedisConversations, RedisMemory } from '@skillyard/queue';
import type { OrchestratorOptions } from './orchestrator-options.ts';

/** Does a job here and now. */
export interface InlineExecutor {
  readonly execute: ExecuteJob;
  close?(): Promise<void>;
}

/**
 * The executors of the configuration, for values from working memory and assets. No tool server is connected to for
 * those: what is read from one goes to its workers, and is here only to be refused when there is no such server.
 */
export function openInlineExecutor(
  options: OrchestratorOptions,
  connection: QueueConnection,
): InlineExecutor {
  const { config, env, baseDir } = options;
  return createExecutors({
    config,
    env,
    baseDir,
    memory: new RedisMemory(connection, config.memory?.max_bytes),
    conversations: new RedisConversations(connection),
  });
}
