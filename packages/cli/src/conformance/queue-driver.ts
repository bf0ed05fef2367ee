import { randomUUID } from 'node:crypto';
import {
  BUILTIN_CLASS,
  type Config,
  MODEL_CLASS,
  SkillyardError,
  type StepJob,
  type StepsDiscarded,
  type TurnId,
  turnId,
} from '@skillyard/contracts';
import { assembleTrace } from '@skillyard/engine';
import {
  createLogger as orchestratorLogger,
  type RunningOrchestrator,
  runOrchestrator,
} from '@skillyard/orchestrator';
import { connect, type ExecuteJob, type QueueConnection, TurnClient } from '@skillyard/queue';
import { redisUrl } from '@skillyard/runtime';
import { createLogger as workerLogger, type RunningWorker, runWorker } from '@skillyard/workers';
import type { Doubles } from './doubles.ts';
import type { CaseDriver, CaseReport, CaseTurn } from './execute-case.ts';

/** Turns over Redis, with several orchestrators and workers in this process, as a system of some size has them. */
export interface QueueDriver {
  readonly run: CaseDriver;
  close(): Promise<void>;
}

export interface QueueDriverOptions {
  /** The address given with `--redis`. */
  readonly url: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The class of workers that stands for every tool server of the cases. */
const TOOLS = BUILTIN_CLASS;
const CONCURRENCY = 16;
/** Orchestrators, and workers of each class. */
const OF_EACH = 2;
/** A turn of a case asks for nothing that takes time. */
const TURN_MS = 60_000;

/**
 * Starts a system of its own beside whatever else is in that Redis, and removes its keys at the end.
 * The doubles of a case take the place of the executors, wherever in the system those are called.
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function openQueueDriver(options: QueueDriverOptions): Promise<QueueDriver> {
  const { env } = options;
  const url = redisUrl({}, env, options.url);
  const prefix = `conformance-${randomUUID().slice(0, 8)}`;
  const connection = await connect({ url, prefix, whenAway: 'fail' });
  const doublesOf = new Map<TurnId, Doubles>();
  const execute: ExecuteJob = async (job) => {
    const doubles = doublesOf.get(job.turnId);
    if (doubles === undefined) throw new Error(`a job of a turn that has ended: ${job.id}`);
    return doubles.execute(job);
  };
  const classes = { [MODEL_CLASS]: { concurrency: CONCURRENCY }, [TOOLS]: { concurrency: CONCURRENCY } };
  const config: Config = { redis: { prefix }, classes };
  const common = { config, baseDir: '.', redisUrl: url, env, execute };
  const orchestrate = (): Promise<RunningOrchestrator> =>
    runOrchestrator({
      ...common,
      log: orchestratorLogger('silent'),
      inlineKinds: ['memory', 'asset', 'delegate', 'ask'],
      queueOf,
    });
  const work = (): Promise<RunningWorker> =>
    runWorker({ ...common, log: workerLogger('silent'), classes: [MODEL_CLASS, TOOLS] });
  const [orchestrators, workers] = await Promise.all([
    Promise.all(Array.from({ length: OF_EACH }, orchestrate)),
    Promise.all(Array.from({ length: OF_EACH }, work)),
  ]);
  await untilShared(orchestrators, connection.keys.shards);
  const client = new TurnClient(connection);
  return {
    run: async (turn) => {
      const id = turnId(`case-${randomUUID()}`);
      doublesOf.set(id, turn.doubles);
      try {
        return await runOne(client, id, turn);
      } finally {
        doublesOf.delete(id);
      }
    },
    async close() {
      await Promise.all([...workers, ...orchestrators].map((one) => one.close()));
      await forgetKeys(connection, prefix);
      await connection.close();
    },
  };
}

/**
 * Waits until every shard has an owner and all own as many. A turn that changes its owner may be asked twice what
 * answers in the orchestrator, and a double counts how often it was asked.
 */
async function untilShared(orchestrators: readonly RunningOrchestrator[], shards: number): Promise<void> {
  const giveUpAtMs = performance.now() + TURN_MS;
  while (orchestrators.some((one) => one.shards.length !== shards / orchestrators.length)) {
    if (performance.now() > giveUpAtMs)
      throw new SkillyardError('STEP_TIMEOUT', 'the orchestrators do not share the turns');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Where the jobs of every case go, whatever their servers are called. */
function queueOf(job: StepJob): string | null {
  if (job.kind === 'generate') return MODEL_CLASS;
  return job.kind === 'call' ? `tool.${TOOLS}` : null;
}

async function runOne(client: TurnClient, id: TurnId, turn: CaseTurn): Promise<CaseReport> {
  const { skillText, vars, settings } = turn;
  // The cases run the workflow whatever `mode` says (spec section 1).
  await client.submitTurn({ turnId: id, skillText, file: 'case.yaml', mode: 'workflow', vars, settings });
  const events = [];
  const signal = AbortSignal.timeout(TURN_MS);
  for await (const { event, outcome } of client.watchTurn(id, { signal })) {
    events.push(event);
    if (outcome === undefined) continue;
    const discarded = events.filter((one): one is StepsDiscarded => one.type === 'steps.discarded');
    return { outcome, ...assembleTrace(events), discarded };
  }
  throw new SkillyardError('STEP_TIMEOUT', `the turn ${id} has not ended within ${TURN_MS / 1000} seconds`);
}

/** Removes what the cases left: no turn of theirs is of use to anybody. */
async function forgetKeys({ redis }: QueueConnection, prefix: string): Promise<void> {
  for (let cursor = '0', first = true; first || cursor !== '0'; first = false) {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 1000);
    if (keys.length > 0) await redis.unlink(keys);
    cursor = next;
  }
}
