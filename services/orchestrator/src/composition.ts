import type { StepJob } from '@skillyard/contracts';
import {
  childTurnId,
  effectOf,
  queueOf,
  type QueueConnection,
  RedisToolCatalog,
  ResultsConsumer,
  startTurnsWorker,
  StepQueues,
  TurnsQueue,
  TurnStore,
} from '@skillyard/queue';
import { currentSettings } from './current-settings.ts';
import { Delegates } from './delegates.ts';
import { Dispatcher } from './dispatcher.ts';
import { InlineJobs } from './inline-jobs.ts';
import { openInlineExecutor } from './inline-executor.ts';
import { TurnCache } from './live-turn.ts';
import { Orchestrator } from './orchestrator.ts';
import { Programs } from './programs.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import { skillFolders } from './skill-folders.ts';
import { sweepLiveTurns } from './sweep.ts';
import { jobTimedOut, turnExpired } from './time-is-over.ts';
import { ticketOptions } from './ticket-options.ts';
import { TurnKeeper } from './turn-keeper.ts';

/** Live turns kept in memory. */
const CACHED_TURNS = 10_000;
/** Turns started at once. */
const STARTS = 16;

/** The parts of an orchestrator, put together. */
export interface Composition {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function compose(
  options: OrchestratorOptions,
  connection: QueueConnection,
): Promise<Composition> {
  const { config, log, onTransition } = options;
  const now = options.now ?? Date.now;
  const store = new TurnStore(connection, options.store);
  const consumer = new ResultsConsumer({ connection });
  const queues = new StepQueues(connection, ticketOptions(config));
  const turns = new TurnsQueue(connection);
  const executor =
    options.execute === undefined ? openInlineExecutor(options, connection) : { execute: options.execute };
  const inline = new InlineJobs(connection, executor.execute, log);
  const skills = skillFolders(config.skills ?? []);
  const delegates = new Delegates({ connection, store, queue: turns, skills, now, onTransition });
  const inlineKinds = new Set(options.inlineKinds ?? (['memory', 'asset'] as const));
  const dispatcher = new Dispatcher({ connection, queues, turns, inline, delegates, inlineKinds });
  const queueFor = options.queueOf ?? ((job: StepJob) => queueOf(job, config));
  const catalog = new RedisToolCatalog(connection);
  const keeper = new TurnKeeper({
    store,
    cache: new TurnCache(CACHED_TURNS),
    programs: new Programs((hash) => store.skillText(hash)),
    delegates,
    route: (job, settings) => ({ job, queue: queueFor(job), effect: effectOf(job, settings.effects) }),
    settings: () => currentSettings(config, catalog),
    log,
    now,
    onTransition,
  });
  const orchestrator = new Orchestrator({
    store,
    consumer,
    turns,
    keeper,
    dispatcher,
    log,
    now,
    onTransition,
  });
  let turnsWorker: { close(): Promise<void> } | undefined;

  return {
    start: async () => {
      await consumer.open();
      // Sole owner of every shard until they are leased: whatever somebody took and did not finish is ours.
      await orchestrator.catchUp(0);
      const resume = orchestrator.resume.bind(orchestrator);
      const live = await sweepLiveTurns({ store, shards: connection.keys.shards, resume, now });
      if (live > 0) log.info({ turns: live }, 'going on with turns under way');
      orchestrator.run();
      turnsWorker = await startTurnsWorker({
        connection,
        concurrency: STARTS,
        onStart: (turnId) => orchestrator.start(turnId),
        onDeadline: (turnId) => turnExpired(connection, turnId),
        onTimeout: (jobId) => jobTimedOut(connection, jobId, childTurnId(jobId)),
        onError: (error) => log.warn({ reason: error.message }, 'turns queue'),
      });
    },
    stop: async () => {
      await turnsWorker?.close();
      await orchestrator.stop();
      inline.close();
      await executor.close?.();
      await Promise.all([queues.close(), turns.close()]);
    },
  };
}
