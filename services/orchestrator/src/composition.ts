import type { TurnId } from '@skillyard/contracts';
import {
  FailedJobs,
  HistoryWriter,
  followReopening,
  postKept,
  postStart,
  type QueueConnection,
  ResultsConsumer,
  StepQueues,
  Timers,
  TurnIndex,
  TurnStore,
  UploadedSkills,
} from '@skillyard/queue';
import { cancelAbandoned } from './abandoned.ts';
import { Delegates } from './delegates.ts';
import { Dispatcher } from './dispatcher.ts';
import { openErrands } from './errands.ts';
import { openFairness } from './fairness/fairness.ts';
import { TenantLimits } from './fairness/tenant-limits.ts';
import type { Windows } from './fairness/windows.ts';
import { InlineJobs } from './inline-jobs.ts';
import type { Installation } from './installation.ts';
import { openInlineExecutor } from './inline-executor.ts';
import { TurnCache } from './live-turn.ts';
import type { Logger } from './logger.ts';
import { openKeeper } from './open-keeper.ts';
import { Orchestrator, type OrchestratorParts } from './orchestrator.ts';
import { retentionOf } from './retention.ts';
import { OwnedShards } from './owned-shards.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import { SkillShelf } from './skills/skill-shelf.ts';
import { Sweeper } from './sweep.ts';
import { ticketOptions } from './ticket-options.ts';
import { watchLoad } from './watch-load.ts';

/** Live turns kept in memory. */
const CACHED_TURNS = 10_000;

/** The parts of an orchestrator, put together. */
export interface Composition {
  /** The shards whose turns it runs. */
  readonly shards: readonly number[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function compose(
  options: OrchestratorOptions,
  connection: QueueConnection,
  { policy, folders }: Installation,
): Promise<Composition> {
  const { config, telemetry, log } = options;
  const cache = new TurnCache(CACHED_TURNS);
  const owned: OwnedShards = new OwnedShards(connection, options, () => ({
    consumer,
    sweeper,
    orchestrator,
    cache,
    windows: fairness.windows,
  }));
  const { leases } = owned;
  const store = openStore(options, connection, (turnId) => owned.epochOfTurn(turnId));
  const consumer = new ResultsConsumer({ connection, shards: [], waitMs: () => leases.remainingMs() });
  const timers = new Timers(connection);
  const limits = new TenantLimits(config.tenants, new TurnIndex(connection));
  const fairness = openFairness({
    config,
    connection,
    limits,
    owner: leases.owner,
    release: () => dispatcher.release(),
    log,
  });
  const { windows } = fairness;
  const { dispatcher, delegates, skills, closeJobs } = openDispatcher(options, connection, {
    store,
    timers,
    windows,
    folders,
  });
  const errands = openErrands(options, connection, { store, skills, policy, limits });
  const keeper = openKeeper(options, connection, {
    store,
    cache,
    delegates,
    skills,
    policy,
    noteEnd: (turnId) => errands.noteEnd(turnId),
  });
  const orchestrator = openOrchestrator(options, connection, {
    store,
    consumer,
    timers,
    keeper,
    dispatcher,
    windows,
    owns: (turnId) => owned.epochOfTurn(turnId) !== null,
  });
  const sweeper = openSweeper(options, connection, { store, leases, consumer, orchestrator });

  return {
    get shards() {
      return leases.shards;
    },
    start: async () => {
      consumer.open();
      await store.prepare();
      await fairness.start();
      await leases.start();
      orchestrator.run();
      log.info({ owner: leases.owner, shards: leases.shards.length }, 'running turns');
      watchLoad(telemetry, { config, connection, store, shards: () => leases.shards });
      await errands.start();
    },
    stop: async () => {
      await leases.close();
      sweeper.close();
      await orchestrator.stop();
      await fairness.close();
      // Behind the last batch, which may have ended turns.
      await Promise.all([errands.close(), writeLastEnds(store, log)]);
      await Promise.all([closeJobs(), timers.close()]);
    },
  };
}

function openStore(
  { config, log, ...options }: OrchestratorOptions,
  connection: QueueConnection,
  epoch: (turnId: TurnId) => number | null,
): TurnStore {
  return new TurnStore(connection, {
    ...retentionOf(config.history),
    ...options.store,
    epoch,
    onError: (error) => log.warn({ reason: String(error) }, 'ends of turns are not written down yet'),
  });
}

/** What cannot be written now (Redis may be full) is found by the sweep of the next owner. */
async function writeLastEnds(store: TurnStore, log: Logger): Promise<void> {
  try {
    await store.flush();
  } catch (error) {
    log.warn({ reason: String(error) }, 'ends of turns are not written down');
  }
}

/** The loop, and what it needs of Redis besides the turns. */
function openOrchestrator(
  { telemetry, log, onTransition, now = Date.now }: OrchestratorOptions,
  connection: QueueConnection,
  parts: Pick<
    OrchestratorParts,
    'store' | 'consumer' | 'timers' | 'keeper' | 'dispatcher' | 'windows' | 'owns'
  >,
): Orchestrator {
  return new Orchestrator({
    ...parts,
    askForStart: (turnId) => postStart(connection, turnId),
    postKept: (turnId, jobIds) => postKept(connection, turnId, jobIds),
    followReopening: (turnId) => followReopening(connection, turnId),
    failures: new FailedJobs(connection),
    telemetry,
    log,
    now,
    onTransition,
  });
}

/** What comes back to turns that somebody should have gone on with. */
function openSweeper(
  { sweepEveryMs, log, now = Date.now }: OrchestratorOptions,
  connection: QueueConnection,
  parts: {
    readonly store: TurnStore;
    readonly leases: OwnedShards['leases'];
    readonly consumer: ResultsConsumer;
    readonly orchestrator: Orchestrator;
  },
): Sweeper {
  const { store, leases, consumer, orchestrator } = parts;
  return new Sweeper({
    store,
    owns: (shard) => leases.epochOf(shard) !== null,
    lookForStrays: (shard) => consumer.lookForStrays(shard),
    resume: async (turnId, wholly) => {
      await cancelAbandoned(connection, store, turnId);
      return orchestrator.resume(turnId, wholly);
    },
    everyMs: sweepEveryMs,
    log,
    now,
  });
}

/** What gets jobs done: the queues of the workers, and what this process does itself. */
function openDispatcher(
  options: OrchestratorOptions,
  connection: QueueConnection,
  parts: { readonly store: TurnStore; readonly timers: Timers; readonly windows: Windows } & Pick<
    Installation,
    'folders'
  >,
): {
  dispatcher: Dispatcher;
  delegates: Delegates;
  skills: SkillShelf;
  closeJobs: () => Promise<void>;
} {
  const { config, telemetry, log, onTransition } = options;
  const { store, timers, windows, folders } = parts;
  const now = options.now ?? Date.now;
  const queues = new StepQueues(connection, ticketOptions(config));
  const executor =
    options.execute === undefined ? openInlineExecutor(options, connection) : { execute: options.execute };
  const history = HistoryWriter.of(config.history, connection, ({ message }) =>
    log.warn({ reason: message }, 'the history of a job could not be kept'),
  );
  const inline = new InlineJobs({ connection, execute: executor.execute, log, history, telemetry });
  const skills = new SkillShelf(new UploadedSkills(connection), folders, now);
  const delegates = new Delegates({ connection, store, timers, skills, history, now, onTransition });
  const inlineKinds = new Set(options.inlineKinds ?? (['memory', 'asset'] as const));
  const dispatcher = new Dispatcher({
    connection,
    queues,
    windows,
    timers,
    inline,
    delegates,
    inlineKinds,
    now,
  });
  const closeJobs = async (): Promise<void> => {
    inline.close();
    await executor.close?.();
    await queues.close();
  };
  return { dispatcher, delegates, skills, closeJobs };
}
