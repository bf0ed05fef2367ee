import {
  ACTION_CLASS,
  COMMAND_CLASS,
  type TraceEvent,
  type TurnId,
  type TurnOutcome,
} from '@skillyard/contracts';
import { connect, MODEL_CLASS, type QueueConnection, TurnClient } from '@skillyard/queue';
import { until } from '@skillyard/testing';
import { type Kind, LIST } from './kinds.ts';
import { type ChildSettings, LEASES, LOCK_MS, Supervised } from './supervised.ts';
import { TOOL_CLASS } from './tool-class.ts';
import type { World } from './world.ts';

export type Role = 'orchestrator' | 'model' | 'tool';

/** A system of one orchestrator, one model worker and one tool worker, each a process. */
export interface System {
  readonly connection: QueueConnection;
  readonly client: TurnClient;
  readonly roles: Readonly<Record<Role, Supervised>>;
  /** Starts one more process of a role, beside the one there is. */
  startSpare(role: Role): Promise<Supervised>;
  submit(kind: Pick<Kind, 'name' | 'skill'>, key: string): Promise<TurnId>;
  /** Waits for the end of a turn. */
  outcome(turnId: TurnId): Promise<TurnOutcome>;
  events(turnId: TurnId): Promise<TraceEvent[]>;
  /**
   * Waits until nothing is under way: every live set, every results stream and every queue of workers is empty. The
   * ticket of a worker that died lies in its queue until its lock is over.
   */
  quiet(): Promise<void>;
  /** The last parts of the keys of one turn, sorted, and whether Redis will remove them by itself. */
  keysOf(turnId: TurnId): Promise<{ name: string; expires: boolean }[]>;
  close(): Promise<void>;
}

/** What the worker of tools does. */
const TOOL_CLASSES = [TOOL_CLASS, ACTION_CLASS, COMMAND_CLASS];
const RETENTION_SECONDS = 600;
/** A takeover, a restart and a turn, on a busy machine. */
const END_MS = 60_000;

/** @param takesOrders whether its processes can be told where to die */
export async function startSystem(world: World, takesOrders: boolean): Promise<System> {
  const config = world.config();
  const common = { config, redisUrl: world.redis.url, takesOrders };
  const worker = { ...common, role: 'worker', lockMs: LOCK_MS } as const;
  const settings: Record<Role, ChildSettings> = {
    orchestrator: {
      ...common,
      role: 'orchestrator',
      leases: LEASES,
      store: { retentionSeconds: RETENTION_SECONDS },
    },
    model: { ...worker, classes: [MODEL_CLASS] },
    tool: { ...worker, classes: TOOL_CLASSES },
  };
  const roles = {
    orchestrator: new Supervised(settings.orchestrator),
    model: new Supervised(settings.model),
    tool: new Supervised(settings.tool),
  };
  const all = Object.values(roles);
  const prefix = config.redis?.prefix ?? '';
  const connection = await connect({ url: world.redis.url, prefix });
  const client = new TurnClient(connection);
  await Promise.all(all.map((one) => one.ready()));
  const { redis, keys } = connection;
  const ticketsOf = async (queue: string): Promise<number[]> => {
    const name = `${keys.queuePrefix(queue)}:${queue}`;
    return Promise.all([
      redis.llen(`${name}:active`),
      redis.llen(`${name}:wait`),
      redis.zcard(`${name}:delayed`),
    ]);
  };
  return {
    connection,
    client,
    roles,
    startSpare: async (role) => {
      const spare = new Supervised(settings[role]);
      await spare.ready();
      return spare;
    },
    submit: (kind, key) =>
      client.submitTurn({
        turnId: key,
        skillText: kind.skill,
        file: `${kind.name}.yaml`,
        vars: { key, list: LIST, file: world.file(key) },
      }),
    outcome: (turnId) =>
      until(async () => (await client.readTurn(turnId)).outcome, END_MS, `the end of turn ${turnId}`),
    events: async (turnId) => {
      const entries = await redis.xrange(keys.turn(turnId).trace, '-', '+');
      return entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as TraceEvent);
    },
    quiet: async () => {
      const shards = Array.from({ length: keys.shards }, (_, index) => keys.shard(index));
      const isQuiet = async (): Promise<boolean> => {
        const tickets = await Promise.all(
          [MODEL_CLASS, ...TOOL_CLASSES.map((name) => `tool.${name}`)].map(ticketsOf),
        );
        const counts = await Promise.all([
          ...shards.map(({ live }) => redis.zcard(live)),
          ...shards.map(({ results }) => redis.xlen(results)),
        ]);
        return [...counts, ...tickets.flat()].every((count) => count === 0);
      };
      await until(isQuiet, END_MS, 'nothing under way');
    },
    keysOf: async (turnId) => {
      const names = (await redis.keys(`${prefix}:{${turnId}}:*`)).toSorted();
      return Promise.all(
        names.map(async (key) => ({
          name: key.slice(key.lastIndexOf(':') + 1),
          expires: (await redis.ttl(key)) >= 0,
        })),
      );
    },
    close: async () => {
      await Promise.all(all.map((one) => one.stop()));
      await connection.close();
    },
  };
}
