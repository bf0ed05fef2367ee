/**
 * Many turns of every kind, while one process after another is killed and started again.
 */
import { type Config, NO_ORIGIN, type TraceEvent, type TurnOrigin } from '@skillyard/contracts';
import { connect, MODEL_CLASS, type QueueConnection, TurnClient } from '@skillyard/queue';
import { until } from '@skillyard/testing';
import {
  DELEGATE,
  FAN_OUT,
  GENERATE,
  IDEMPOTENT,
  type Kind,
  LIST,
  LOOP,
  ONCE,
  ONCE_ABORT,
  PARALLEL,
} from '../kinds.ts';
import { LEASES, LOCK_MS, Supervised } from '../supervised.ts';
import { TOOL_CLASS } from '../tool-class.ts';
import type { World } from '../world.ts';
import { type Ended, judge, type Judgement } from './judge.ts';
import { seeded, startKiller, type Victim } from './killer.ts';
import { findLeftovers, type Leftovers } from './leftovers.ts';

export interface SoakOptions {
  readonly turns: number;
  /** Turns under way at once. */
  readonly width: number;
  readonly killEveryMs: number;
  /** Whose turns they are, in turn; 0: nobody's in particular, and nothing is shared. */
  readonly tenants: number;
  readonly seed: number;
  readonly onProgress: (ended: number, kills: number) => void;
}

export interface SoakReport {
  readonly turns: readonly (Ended & Judgement & { readonly executions: number })[];
  readonly kills: ReadonlyMap<string, number>;
  readonly leftovers: Leftovers;
  readonly seconds: number;
}

export const SOAK_KINDS: readonly Kind[] = [
  GENERATE,
  ONCE,
  ONCE_ABORT,
  IDEMPOTENT,
  LOOP,
  FAN_OUT,
  PARALLEL,
  DELEGATE,
];

/** Long enough for us to read the end of a turn, short enough to wait for what is left. */
const RETENTION_SECONDS = 30;
/** A turn that takes longer does not end at all. */
const TURN_MS = 180_000;
const POLL_MS = 100;
const PROGRESS_MS = 5000;
/** Windows before the queues, narrower for some, and a history. */
const SHARED: Config = {
  tenants: { tenant0: { weight: 3 }, '*': { jobs_in_flight: 8 } },
  history: { steps: 'on' },
};
/** The file that counts, one for all turns: its lines begin with their keys. */
const EXECUTIONS = 'executions';

export async function soak(world: World, options: SoakOptions): Promise<SoakReport> {
  const tenants = Array.from({ length: options.tenants }, (_, index) => `tenant${index}`);
  const config = { ...world.config(), ...(tenants.length > 0 && SHARED) };
  const connection = await connect({ url: world.redis.url, prefix: config.redis?.prefix ?? '' });
  const client = new TurnClient(connection);
  const victims = launch(world, config);
  await Promise.all(victims.map(({ process }) => process.ready()));
  const startedAtMs = Date.now();
  const killer = startKiller(victims, options.killEveryMs, seeded(options.seed));
  const ended: Ended[] = [];
  const progress = setInterval(() => options.onProgress(ended.length, total(killer.kills)), PROGRESS_MS);
  const names = Array.from({ length: options.turns }, (_, index) => index).values();
  // The workers share one iterator: each takes the next turn when its own has ended.
  const runTurns = async (): Promise<void> => {
    for (const index of names) {
      const tenant = tenants[index % tenants.length];
      const origin = tenant === undefined ? NO_ORIGIN : { ...NO_ORIGIN, tenant };
      ended.push(await runTurn(world, connection, client, { index, origin }));
    }
  };
  try {
    await Promise.all(Array.from({ length: options.width }, runTurns));
    const seconds = (Date.now() - startedAtMs) / 1000;
    await killer.stop();
    const leftovers = await waitForOblivion(connection);
    const counts = await countExecutions(world);
    const turns = ended.map((one) => {
      const executions = counts.get(one.key) ?? 0;
      return { ...one, executions, ...judge(one, executions) };
    });
    return { turns, kills: killer.kills, leftovers, seconds };
  } finally {
    clearInterval(progress);
    await Promise.all(victims.map(({ process }) => process.stop()));
    await connection.close();
  }
}

function launch(world: World, config: ReturnType<World['config']>): Victim[] {
  const common = { config, redisUrl: world.redis.url };
  const worker = { ...common, role: 'worker', lockMs: LOCK_MS } as const;
  const store = { retentionSeconds: RETENTION_SECONDS };
  return [1, 2].flatMap((number) => [
    {
      name: `orchestrator ${number}`,
      process: new Supervised({ ...common, role: 'orchestrator', leases: LEASES, store }),
    },
    { name: `model worker ${number}`, process: new Supervised({ ...worker, classes: [MODEL_CLASS] }) },
    { name: `tool worker ${number}`, process: new Supervised({ ...worker, classes: [TOOL_CLASS] }) },
  ]);
}

async function runTurn(
  world: World,
  connection: QueueConnection,
  client: TurnClient,
  { index, origin }: { readonly index: number; readonly origin: TurnOrigin },
): Promise<Ended> {
  const kind = SOAK_KINDS[index % SOAK_KINDS.length] ?? GENERATE;
  const key = `s${index}x`;
  const turnId = await client.submitTurn({
    turnId: key,
    skillText: kind.skill,
    file: `${kind.name}.yaml`,
    vars: { key, list: LIST, file: world.file(EXECUTIONS) },
    origin,
  });
  const giveUpAtMs = Date.now() + TURN_MS;
  for (;;) {
    const { outcome } = await client.readTurn(turnId);
    if (outcome !== null || Date.now() > giveUpAtMs) {
      const entries = await connection.redis.xrange(connection.keys.turn(turnId).trace, '-', '+');
      const events = entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as TraceEvent);
      return { key, kind, outcome, events };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Waits until nothing is left, at most as long as anything may be kept. */
async function waitForOblivion(connection: QueueConnection): Promise<Leftovers> {
  const isClean = async (): Promise<boolean> => (await findLeftovers(connection)).leftOver.length === 0;
  await until(isClean, (RETENTION_SECONDS + 30) * 1000, 'a Redis without leftovers').catch(() => {});
  return findLeftovers(connection);
}

async function countExecutions(world: World): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const line of await world.lines(EXECUTIONS)) {
    const [key = ''] = line.split(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function total(kills: ReadonlyMap<string, number>): number {
  return [...kills.values()].reduce((sum, count) => sum + count, 0);
}
