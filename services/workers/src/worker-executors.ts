import { BUILTIN_CLASS, serversOfClass } from '@skillyard/contracts';
import {
  createExecutors,
  type Executors,
  type ToolCatalog,
  type ToolDescription,
} from '@skillyard/executors';
import {
  type ExecuteJob,
  type QueueConnection,
  RedisConversations,
  RedisJournal,
  RedisMemory,
  RedisToolCatalog,
} from '@skillyard/queue';
import type { WorkerOptions } from './worker-options.ts';
import { publishTools } from './tool-publisher.ts';

/** What a worker does its jobs with. */
export interface WorkerExecutor {
  readonly execute: ExecuteJob;
  close?(): Promise<void>;
}

/**
 * The executors of a worker. Only the tool servers of its classes are ever connected to; of the others it knows what
 * their own workers publish.
 */
export function openExecutors(options: WorkerOptions, connection: QueueConnection): WorkerExecutor {
  const { config, env, baseDir, classes, log } = options;
  const catalog = new RedisToolCatalog<ToolDescription>(connection);
  const executors: Executors = createExecutors({
    config,
    env,
    baseDir,
    memory: new RedisMemory(connection, config.memory?.max_bytes),
    conversations: new RedisConversations(connection),
    journal: new RedisJournal(connection),
    toolCatalog: {
      // What comes with us needs no connection and is not published.
      describeTools: async (servers, signal) => {
        const lists = await Promise.all(
          servers.map((server) =>
            (server === BUILTIN_CLASS ? executors : published(catalog)).describeTools([server], signal),
          ),
        );
        return lists.flat();
      },
    },
  });
  const servers = classes.flatMap((workerClass) => serversOfClass(workerClass, config));
  const publisher = publishTools({ executors, catalog, servers, log });
  return {
    execute: (job, context) => executors.execute(job, context),
    close: async () => {
      publisher.close();
      await executors.close();
    },
  };
}

function published(catalog: RedisToolCatalog<ToolDescription>): ToolCatalog {
  return { describeTools: (servers) => catalog.describeTools(servers) };
}
