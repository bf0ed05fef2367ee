import type { TurnId, TurnJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** What is kept of the jobs of a turn. */
export interface KeptJobs {
  /** In the order in which they were started. */
  readonly jobs: readonly TurnJob[];
  /** Jobs that did not fit any more. */
  readonly more: number;
}

/** Fields of the hash that are no jobs. */
const COUNTS = '#';
/** Jobs that are read together: each may be as large as its texts may be. */
const CHUNK = 100;

/** Reads what the jobs of turns were given and what they gave, where that is kept. */
export class JobHistory {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** @param path of one step only */
  async read(turnId: TurnId, path?: string): Promise<KeptJobs> {
    const { redis, keys } = this.#connection;
    const { history } = keys.turn(turnId);
    const [fields, more] = await Promise.all([redis.hkeys(history), redis.hget(history, '#more')]);
    const start = path === undefined ? '' : `${turnId}.${path}.`;
    const ids = fields.filter((field) => !field.startsWith(COUNTS) && field.startsWith(start));
    const jobs: TurnJob[] = [];
    for (let from = 0; from < ids.length; from += CHUNK) {
      const texts = await redis.hmget(history, ...ids.slice(from, from + CHUNK));
      for (const text of texts) if (text !== null) jobs.push(JSON.parse(text) as TurnJob);
    }
    const wanted = path === undefined ? jobs : jobs.filter((job) => job.path === path);
    return { jobs: wanted.toSorted(byStart), more: Number(more ?? 0) };
  }
}

/** Of a delegation only the end is known. */
function beginOf({ startedAtMs, endedAtMs }: TurnJob): number {
  return startedAtMs ?? endedAtMs ?? 0;
}

function byStart(one: TurnJob, other: TurnJob): number {
  return beginOf(one) - beginOf(other) || one.jobId.localeCompare(other.jobId);
}
