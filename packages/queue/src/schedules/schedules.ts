import { type Schedule, type ScheduleFiring, SkillyardError } from '@skillyard/contracts';
import { Queue } from 'bullmq';
import type { QueueConnection } from '../connection.ts';
import { nextFiringMs } from './cron.ts';
import { PUT_SCHEDULE } from './put-script.ts';

/** The queue of the next firing of each schedule. */
export const SCHEDULES_QUEUE = 'schedules';

/** A schedule as it is kept: what it is told of is kept beside. */
export interface StoredSchedule extends Omit<Schedule, 'nextAtMs' | 'last'> {
  /** Of who made it: its turns may reach what these may. */
  readonly roles: readonly string[];
}

/** Of one firing: whose schedule it is of. The time is in the id of its ticket. */
export interface FiringTicket {
  readonly tenant: string;
  readonly scheduleId: string;
}

/** Schedules of one tenant. */
const MAX_SCHEDULES = 100;
/** Bytes of one schedule: they are listed together. */
const MAX_BYTES = 64 * 1024;
/** While Redis is away a firing waits; whatever else is in the way is noted, and not tried again. */
const ATTEMPTS = 5;
const RETRY_DELAY_MS = 1000;

/** The schedules of all tenants: what they say, and when each is due next. */
export class Schedules {
  readonly #connection: QueueConnection;
  readonly #queue: Queue<FiringTicket>;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
    this.#queue = new Queue(SCHEDULES_QUEUE, {
      connection: connection.redis,
      prefix: connection.keys.queuePrefix(SCHEDULES_QUEUE),
    });
    // Errors of the shared connection are reported by the connection itself.
    this.#queue.on('error', () => {});
  }

  /** The schedules of a tenant, by their ids. */
  async list(tenant: string): Promise<Schedule[]> {
    const { redis, keys } = this.#connection;
    const found = await redis.hvals(keys.tenantSchedules(tenant).schedules);
    const stored = found.map((json) => JSON.parse(json) as StoredSchedule);
    const all = await Promise.all(stored.map((one) => this.#withTimes(one)));
    return all.toSorted((a, b) => (a.scheduleId < b.scheduleId ? -1 : 1));
  }

  /** null when the tenant has none of this id. */
  async read(tenant: string, scheduleId: string): Promise<StoredSchedule | null> {
    const { redis, keys } = this.#connection;
    const json = await redis.hget(keys.tenantSchedules(tenant).schedules, scheduleId);
    return json === null ? null : (JSON.parse(json) as StoredSchedule);
  }

  /**
   * Makes a schedule, or changes it. From now on it fires at the times it names; those that are past are not made up for.
   * @throws SkillyardError INPUT_INVALID if its cron or timezone cannot be used, it is too large, or the tenant has too many
   */
  async put(schedule: StoredSchedule): Promise<Schedule> {
    const { redis, keys } = this.#connection;
    const { tenant, scheduleId, cron, timezone } = schedule;
    nextFiringMs(cron, timezone, Date.now());
    const json = JSON.stringify(schedule);
    if (Buffer.byteLength(json) > MAX_BYTES) {
      const message = `a schedule may have ${MAX_BYTES} bytes with the turn it submits; upload the skill, and name it here`;
      throw new SkillyardError('INPUT_INVALID', message, { details: { tenant, schedule: scheduleId } });
    }
    const isKept = await PUT_SCHEDULE.run(redis, {
      keys: [keys.tenantSchedules(tenant).schedules],
      args: [scheduleId, json, MAX_SCHEDULES],
    });
    if (isKept !== 1) {
      const message = `the tenant "${tenant}" has ${MAX_SCHEDULES} schedules already, which is the most; delete one`;
      throw new SkillyardError('INPUT_INVALID', message, { details: { tenant } });
    }
    await this.#queue.upsertJobScheduler(
      schedulerId(tenant, scheduleId),
      { pattern: cron, tz: timezone },
      {
        name: scheduleId,
        data: { tenant, scheduleId },
        opts: {
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: RETRY_DELAY_MS },
          removeOnComplete: true,
          removeOnFail: true,
        },
      },
    );
    return this.#withTimes(schedule);
  }

  /** @returns whether there was one */
  async delete(tenant: string, scheduleId: string): Promise<boolean> {
    const { redis, keys } = this.#connection;
    const { schedules, firings } = keys.tenantSchedules(tenant);
    // What is deleted last is what a repeat looks for.
    await this.#queue.removeJobScheduler(schedulerId(tenant, scheduleId));
    await redis.hdel(firings, scheduleId);
    return (await redis.hdel(schedules, scheduleId)) === 1;
  }

  /** Notes what became of a firing, for whoever looks at the schedule. */
  async noteFiring(tenant: string, scheduleId: string, firing: ScheduleFiring): Promise<void> {
    const { redis, keys } = this.#connection;
    await redis.hset(keys.tenantSchedules(tenant).firings, scheduleId, JSON.stringify(firing));
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #withTimes({ roles: _roles, ...schedule }: StoredSchedule): Promise<Schedule> {
    const { redis, keys } = this.#connection;
    const { tenant, scheduleId } = schedule;
    const [scheduler, last] = await Promise.all([
      this.#queue.getJobScheduler(schedulerId(tenant, scheduleId)),
      redis.hget(keys.tenantSchedules(tenant).firings, scheduleId),
    ]);
    return {
      ...schedule,
      nextAtMs: scheduler?.next ?? null,
      last: last === null ? null : (JSON.parse(last) as ScheduleFiring),
    };
  }
}

/** Neither of the two can hold a dot. */
function schedulerId(tenant: string, scheduleId: string): string {
  return `${tenant}.${scheduleId}`;
}
