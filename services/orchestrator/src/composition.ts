import { resolveRadius } from '@skillyard/catalog';
import type { StepJob } from '@skillyard/contracts';
import {
  childTurnId,
  FailedJobs,
  HistoryWriter,
  followReopening,
  LEASE_TIMES,
  postKept,
  postStart,
  queueOf,
  type QueueConnection,
  RedisToolCatalog,
  ResultsConsumer,
  startTimersWorker,
  StepQueues,
  Timers,
  TurnIndex,
  TurnStore,
  UploadedSkills,
} from '@skillyard/queue';
import { cancelAbandoned } from './abandoned.ts';
import { currentSettings } from './current-settings.ts';
import { Delegates } from './delegates.ts';
import { Dispatcher } from './dispatcher.ts';
import { openErrands } from './errands.ts';
import { openFairness } from './fairness/fairness.ts';
import { TenantLimits } from './fairness/tenant-limits.ts';
import type { Windows } from './fairness/windows.ts';
import { InlineJobs } from './inline-jobs.ts';
import { openInlineExecutor } from './inline-executor.ts';
import { TurnCache } from './live-turn.ts';
import { Orchestrator } from './orchestrator.ts';
import { retentionOf } from './retention.ts';
import { OwnedShards } from './owned-shards.ts';
import { routeWith } from './route.ts';
import { Policy } from './policy/policy.ts';
import { ToolNames } from './policy/tool-names.ts';
import { Programs } from './programs.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import { skillFolders } from './skill-folders.ts';
import { SkillShelf } from './skills/skill-shelf.ts';
import { Sweeper } from './sweep.ts';
import { jobTimedOut, turnCutOff, turnExpired } from './time-is-over.ts';
import { ticketOptions } from './ticket-options.ts';
import { TurnKeeper } from './turn-keeper.ts';
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
): Promise<Composition> {
  const { config, telemetry, log, onTransition } = options;
  const now = options.now ?? Date.now;
  const cache = new TurnCache(CACHED_TURNS);
  const owned: OwnedShards = new OwnedShards(connection, options, () => ({
    consumer,
    sweeper,
    orchestrator,
    cache,
    windows: fairness.windows,
  }));
  const { leases } = owned;
  const store = new TurnStore(connection, {
    ...retentionOf(config.history),
    ...options.store,
    epoch: (turnId) => owned.epochOfTurn(turnId),
  });
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
  });
  const queueFor = options.queueOf ?? ((job: StepJob) => queueOf(job, config));
  const catalog = new RedisToolCatalog<{ readonly tool: string }>(connection);
  const policy = await Policy.load(config);
  const limited = config.policy === undefined ? [] : Object.keys(config.servers ?? {});
  const toolNames = new ToolNames(catalog, limited, now);
  const errands = openErrands(options, connection, { store, skills, policy, limits });
  const keeper = new TurnKeeper({
    store,
    cache,
    noteEnd: (turnId) => errands.noteEnd(turnId),
    programs: new Programs((hash) => store.skillText(hash)),
    delegates,
    route: routeWith({ queueOf: queueFor, policy, toolsOf: (server) => toolNames.of(server), telemetry }),
    settings: async () => {
      await toolNames.refresh();
      return currentSettings(config, catalog);
    },
    radius: (program, tenant) => resolveRadius(program, (name) => skills.find(tenant, name)),
    telemetry,
    log,
    now,
    onTransition,
  });
  const orchestrator = new Orchestrator({
    store,
    consumer,
    timers,
    keeper,
    dispatcher,
    windows,
    owns: (turnId) => owned.epochOfTurn(turnId) !== null,
    askForStart: (turnId) => postStart(connection, turnId),
    postKept: (turnId, jobIds) => postKept(connection, turnId, jobIds),
    followReopening: (turnId) => followReopening(connection, turnId),
    failures: new FailedJobs(connection),
    telemetry,
    log,
    now,
    onTransition,
  });
  const sweeper = openSweeper(options, connection, { store, leases, consumer, orchestrator });
  let timersWorker: { close(): Promise<void> } | undefined;

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
      timersWorker = await watchTimes(options, connection);
      await errands.start();
    },
    stop: async () => {
      await timersWorker?.close();
      await leases.close();
      sweeper.close();
      await orchestrator.stop();
      await fairness.close();
      // Behind the last batch, which may have ended turns.
      await errands.close();
      await Promise.all([closeJobs(), timers.close()]);
    },
  };
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
  parts: { readonly store: TurnStore; readonly timers: Timers; readonly windows: Windows },
): {
  dispatcher: Dispatcher;
  delegates: Delegates;
  skills: SkillShelf;
  closeJobs: () => Promise<void>;
} {
  const { config, telemetry, log, onTransition } = options;
  const { store, timers, windows } = parts;
  const now = options.now ?? Date.now;
  const queues = new StepQueues(connection, ticketOptions(config));
  const executor =
    options.execute === undefined ? openInlineExecutor(options, connection) : { execute: options.execute };
  const history = HistoryWriter.of(config.history, connection, ({ message }) =>
    log.warn({ reason: message }, 'the history of a job could not be kept'),
  );
  const inline = new InlineJobs({ connection, execute: executor.execute, log, history, telemetry });
  const folders = skillFolders(config.skills ?? []);
  const skills = new SkillShelf(new UploadedSkills(connection), folders, now);
  const delegates = new Delegates({ connection, store, timers, skills, history, now, onTransition });
  const inlineKinds = new Set(options.inlineKinds ?? (['memory', 'asset'] as const));
  const dispatcher = new Dispatcher({ connection, queues, windows, timers, inline, delegates, inlineKinds });
  const closeJobs = async (): Promise<void> => {
    inline.close();
    folders.close();
    await executor.close?.();
    await queues.close();
  };
  return { dispatcher, delegates, skills, closeJobs };
}

/** Times that are over: any orchestrator may be told. */
function watchTimes(
  options: OrchestratorOptions,
  connection: QueueConnection,
): Promise<{ close(): Promise<void> }> {
  return startTimersWorker({
    connection,
    // Found out as fast as the death of an owner: telling of a time takes milliseconds.
    lockMs: (options.leases ?? LEASE_TIMES).leaseMs,
    onDeadline: (turnId) => turnExpired(connection, turnId),
    onCutoff: (turnId) => turnCutOff(connection, turnId),
    onTimeout: (jobId) => jobTimedOut(connection, jobId, childTurnId(jobId)),
    onError: (error) => options.log.warn({ reason: error.message }, 'timers'),
  });
}
