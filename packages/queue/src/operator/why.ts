/**
 * Why a turn waits: one sentence for it, and one for each job that it waits for.
 *
 * It reads and changes nothing: for a turn that runs in a fixed number of round trips per queue, for one that is queued
 * it reads the stream of its shard. Of a turn with thousands of pending jobs
 * it explains {@link MOST_JOBS} of them only.
 */
import { DEFAULT_TENANT, type JobId, type TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';
import { startsBefore } from '../results/posted.ts';
import { childTurnId } from '../turns/child-turn-id.ts';
import { hasEnded, type TurnState } from '../turns/turn-status.ts';
import type { StoredTurn } from '../turns/stored-turn.ts';
import { TurnStore } from '../turns/turn-store.ts';
import { type HeldCounts, HeldJobs } from '../tenants/held-jobs.ts';
import { notFound } from '../turns/watch-turn.ts';
import { explainJob, type JobExplanation } from './explain-job.ts';
import { type QueueFacts, readQueueFacts } from './queue-facts.ts';
import { readTickets, type TicketFacts } from './ticket.ts';

/** Turns before a queued one that are counted. */
const MOST_AHEAD = 10_000;
/** Jobs of one turn that are explained. */
const MOST_JOBS = 200;

/** Why a turn has not ended, or that it has. */
export interface TurnExplanation {
  readonly turnId: TurnId;
  readonly status: TurnState;
  /** The turn as a whole, as a sentence. */
  readonly why: string;
  /** Queued: turns of its shard that are started before it; null when it is not queued, or too far back to count. */
  readonly ahead: number | null;
  /** Orchestrators that live. */
  readonly orchestrators: number;
  readonly jobs: readonly JobExplanation[];
  /** Pending jobs that are not among `jobs`. */
  readonly moreJobs: number;
}

/**
 * Says why a turn has not ended.
 * @throws SkillyardError TURN_NOT_FOUND
 */
export async function explainTurn(
  connection: QueueConnection,
  turnId: TurnId,
  nowMs: number = Date.now(),
): Promise<TurnExplanation> {
  const stored = await new TurnStore(connection).read(turnId);
  if (stored === null) throw notFound(turnId);
  const { status } = stored.view;
  const common = { turnId, status, ahead: null, jobs: [], moreJobs: 0 };
  const orchestrators = await livingOrchestrators(connection);
  if (hasEnded(status)) return { ...common, orchestrators, why: endOf(stored) };
  if (status === 'queued') {
    const before = await startsBefore(connection, turnId, MOST_AHEAD);
    const ahead = before === 'none' ? null : before;
    return { ...common, orchestrators, ahead, why: queued(before, orchestrators) };
  }
  const { jobs, more } = await explainJobs(connection, turnId, orchestrators, nowMs);
  return { ...common, orchestrators, why: running(jobs.length + more, orchestrators), jobs, moreJobs: more };
}

/** By the clock of Redis, which they are entered by. */
async function livingOrchestrators({ redis, keys }: QueueConnection): Promise<number> {
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  return redis.zcount(keys.orchestrators, Math.floor(seconds * 1000 + micros / 1000), '+inf');
}

async function explainJobs(
  connection: QueueConnection,
  turnId: TurnId,
  orchestrators: number,
  nowMs: number,
): Promise<{ jobs: JobExplanation[]; more: number }> {
  const { envelopes, more } = await somePending(connection, turnId);
  if (envelopes.length === 0) return { jobs: [], more };
  const ids = envelopes.map(({ job }) => job.id);
  const [claims, tickets, facts, held, children] = await Promise.all([
    connection.redis.hmget(connection.keys.turn(turnId).claims, ...ids),
    ticketsOf(connection, envelopes),
    factsOf(connection, envelopes),
    heldOf(connection, envelopes),
    childrenOf(connection, envelopes),
  ]);
  const jobs = envelopes.map((envelope, index) => {
    const { job, queue, tenant = DEFAULT_TENANT } = envelope;
    const jobsHeld = queue === null ? undefined : held.get(queue)?.tenants.get(tenant);
    const all = {
      envelope,
      claim: claims[index] ?? null,
      ticket: tickets.get(job.id) ?? null,
      queue: queue === null ? null : (facts.get(queue) ?? null),
      held: jobsHeld !== undefined && jobsHeld.held > 0 ? jobsHeld : null,
      child: children.get(job.id) ?? null,
      orchestrators,
    };
    return explainJob(all, nowMs);
  });
  return { jobs, more };
}

/** Pending jobs of a turn, without reading all of a large outbox. */
async function somePending(
  connection: QueueConnection,
  turnId: TurnId,
): Promise<{ envelopes: JobEnvelope[]; more: number }> {
  const { jobs } = connection.keys.turn(turnId);
  const [ids, total] = await Promise.all([
    connection.redis.hrandfield(jobs, MOST_JOBS).then((found) => found as string[]),
    connection.redis.hlen(jobs),
  ]);
  if (ids.length === 0) return { envelopes: [], more: 0 };
  const texts = await connection.redis.hmget(jobs, ...ids.toSorted());
  const envelopes = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as JobEnvelope]));
  return { envelopes, more: Math.max(0, total - ids.length) };
}

async function ticketsOf(
  connection: QueueConnection,
  envelopes: readonly JobEnvelope[],
): Promise<Map<JobId, TicketFacts>> {
  const found = new Map<JobId, TicketFacts>();
  const idsByQueue = new Map<string, JobId[]>();
  for (const { job, queue } of envelopes) {
    if (queue === null) continue;
    const ids = idsByQueue.get(queue);
    if (ids === undefined) idsByQueue.set(queue, [job.id]);
    else ids.push(job.id);
  }
  await Promise.all(
    [...idsByQueue].map(async ([queue, ids]) => {
      const tickets = await readTickets(connection, queue, ids);
      for (const [index, ticket] of tickets.entries()) found.set(ids[index] as JobId, ticket);
    }),
  );
  return found;
}

async function factsOf(
  connection: QueueConnection,
  envelopes: readonly JobEnvelope[],
): Promise<Map<string, QueueFacts>> {
  const facts = await Promise.all([...queuesOf(envelopes)].map((queue) => readQueueFacts(connection, queue)));
  return new Map(facts.map((one) => [one.queue, one]));
}

/** What orchestrators hold back of each queue. */
async function heldOf(
  connection: QueueConnection,
  envelopes: readonly JobEnvelope[],
): Promise<Map<string, HeldCounts>> {
  const heldJobs = new HeldJobs(connection);
  const counts = [...queuesOf(envelopes)].map(async (queue) => [queue, await heldJobs.read(queue)] as const);
  return new Map(await Promise.all(counts));
}

function queuesOf(envelopes: readonly JobEnvelope[]): Set<string> {
  return new Set(envelopes.flatMap(({ queue }) => (queue === null ? [] : [queue])));
}

async function childrenOf(
  connection: QueueConnection,
  envelopes: readonly JobEnvelope[],
): Promise<Map<JobId, { turnId: TurnId; status: TurnState | null }>> {
  const delegates = envelopes.filter(({ job }) => job.kind === 'delegate').map(({ job }) => job.id);
  const children = await Promise.all(
    delegates.map(async (id) => {
      const turnId = childTurnId(id);
      const status = await connection.redis.hget(connection.keys.turn(turnId).meta, 'status');
      return [id, { turnId, status: status as TurnState | null }] as const;
    }),
  );
  return new Map(children);
}

function endOf({ view, endedBy }: StoredTurn): string {
  const { status, outcome, endedAtMs } = view;
  const when = endedAtMs === null ? '' : ` at ${new Date(endedAtMs).toISOString()}`;
  const error = outcome?.error ?? null;
  const said = error === null ? (outcome?.exitReason ?? '') : `${error.code}: ${error.message}`;
  const reason = said === '' ? '' : `: ${said}`;
  const by = endedBy === null ? '' : ` (by job ${endedBy.jobId}; see \`skillyard failed ${endedBy.jobId}\`)`;
  return `it waits for nothing: it ended as ${status}${when}${reason}${by}`;
}

function queued(before: number | null | 'none', orchestrators: number): string {
  if (orchestrators === 0) return 'it is queued, and no orchestrator is running; start one';
  if (before === 'none')
    return 'it is queued and nobody was asked to start it; an orchestrator is when it next looks through its turns';
  if (before === 0) return 'it is queued, and the next turn of its shard to be started';
  const many = before === null ? `more than ${MOST_AHEAD} turns` : `${before} turn(s)`;
  return `it is queued behind ${many} of its shard`;
}

function running(pending: number, orchestrators: number): string {
  const nobody = orchestrators === 0 ? '; no orchestrator is running, so nothing will follow: start one' : '';
  if (pending === 0) return `it is between two steps${nobody}`;
  return `it waits for ${pending === 1 ? '1 job' : `${pending} jobs`}${nobody}`;
}
