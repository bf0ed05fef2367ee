/**
 * Lets a turn that failed go on from where it was before the result that ended it.
 *
 * R1 Only results that ended a turn can be taken back: the first of them, or one that would have ended it as well while
 *    what ran beside was waited for. A failure that its flow went on from is part of its state.
 * R2 What could repeat a call that must not run twice is refused, unless that is what was asked for (`rerun`).
 * R3 A reopened turn is in its shard's live set before it runs again (Q8), and everything that follows from the
 *    reopening is found in Redis by the owner of the turn: whoever reopened it may die at any instruction.
 * R4 A turn that ended because a turn it delegated to failed is reopened together with that one, innermost first. A
 *    delegated turn whose result was used otherwise is not reopened: nobody would wait for it.
 * R5 The result that is taken back is gone from the results stream before the turn runs again: one that was not
 *    acknowledged would be delivered once more, and end it as before.
 */
import {
  type JobId,
  SkillyardError,
  type StepResult,
  type TraceEvent,
  type TurnId,
  turnOfJob,
} from '@skillyard/contracts';
import type { StateRecord } from '@skillyard/engine';
import type { QueueConnection } from '../connection.ts';
import { forgetResults } from '../results/posted.ts';
import { postKept, postStart } from '../results/post-result.ts';
import { REOPEN } from '../scripts/reopen-script.ts';
import { childTurnId } from '../turns/child-turn-id.ts';
import { reenterTurn } from '../turns/list-turn.ts';
import type { EndingResult } from '../turns/reopenable-end.ts';
import { hasEnded } from '../turns/turn-status.ts';
import type { StoredTurn } from '../turns/stored-turn.ts';
import { TurnStore } from '../turns/turn-store.ts';
import { planReplay } from './replay-plan.ts';

/** How a job gets its result. */
export type Remedy =
  /** Run it again, unless that could repeat something that must not happen twice. */
  | { readonly how: 'redrive' }
  /** Run it again, whatever that repeats. */
  | { readonly how: 'rerun' }
  /** This is its result. */
  | { readonly how: 'value'; readonly text: string };

export interface ReopenRequest {
  readonly jobId: JobId;
  readonly remedy: Remedy;
  /** Who asks for it, for the trace. */
  readonly by: string;
}

/** A turn that is to be reopened, and by which of the results that ended it. */
interface Reopenable {
  readonly stored: StoredTurn;
  readonly ending: EndingResult;
}

/**
 * Reopens the turn that a job ended, and the turns that ended because of it.
 * @returns the turns that run again, innermost first
 * @throws SkillyardError TURN_NOT_FOUND, REOPEN_REFUSED
 */
export async function reopenTurn(
  connection: QueueConnection,
  request: ReopenRequest,
  nowMs: number = Date.now(),
): Promise<TurnId[]> {
  const { jobId, remedy } = request;
  const first = await readReopenable(connection, jobId);
  const { kind, mayRepeat } = first.ending;
  if (remedy.how === 'redrive' && mayRepeat) throw refused(jobId, mayHaveRun(jobId));
  if (remedy.how === 'value' && kind === 'decide') throw refused(jobId, ONLY_CODE_DECIDES);
  const abandoned = kind === 'delegate' ? await childOf(connection, jobId, remedy) : null;
  const chain = [first, ...(await ancestorsOf(connection, first))];
  if (abandoned !== null) await forgetTurn(connection, abandoned);
  for (const [index, one] of chain.entries()) {
    const reopened = await reopen(
      connection,
      one,
      index === 0 ? request : { ...request, remedy: AGAIN },
      nowMs,
    );
    if (!reopened) throw refused(one.ending.jobId, 'it changed at this moment; look at it again');
  }
  const turnIds = chain.map(({ stored }) => stored.view.turnId);
  for (const turnId of turnIds) await postStart(connection, turnId);
  return turnIds;
}

const AGAIN: Remedy = { how: 'redrive' };
const ONLY_CODE_DECIDES = 'it is a decision, which the code of the skill alone can make; redrive it';

/**
 * Does what follows from the reopening of a turn, as its owner. May be repeated (R3).
 * The jobs that have to be done are asked for after this, as for any turn that goes on.
 */
export async function followReopening(connection: QueueConnection, turnId: TurnId): Promise<void> {
  const { keys, redis } = connection;
  const { meta, payloads } = keys.turn(turnId);
  const [known, order, stored] = await Promise.all([
    redis.hkeys(payloads),
    redis.hget(meta, 'reopened'),
    new TurnStore(connection).read(turnId),
  ]);
  if (stored === null) return;
  // A result is applied only if what asked for its job was applied before it: the order is that of the first time.
  const inOrder = (JSON.parse(order ?? '[]') as JobId[]).filter((id) => known.includes(id));
  // Whoever made its end known may have done so after it was put back.
  await putBack(connection, stored);
  await postKept(connection, turnId, [...new Set([...inOrder, ...(known as JobId[])])]);
  await redis.hdel(meta, 'reopened');
}

/**
 * Why the turn of a job cannot be reopened by it; null when it can.
 * @throws SkillyardError TURN_NOT_FOUND
 */
export async function whyNotReopenable(
  connection: QueueConnection,
  jobId: JobId,
  remedy: Remedy,
): Promise<string | null> {
  try {
    const first = await readReopenable(connection, jobId);
    if (remedy.how === 'redrive' && first.ending.mayRepeat) return mayHaveRun(jobId);
    if (remedy.how === 'value' && first.ending.kind === 'decide') return ONLY_CODE_DECIDES;
    await ancestorsOf(connection, first);
    return null;
  } catch (error) {
    if (SkillyardError.is(error, 'REOPEN_REFUSED')) return error.message;
    throw error;
  }
}

async function readReopenable(connection: QueueConnection, jobId: JobId): Promise<Reopenable> {
  const turnId = turnOfJob(jobId);
  const stored = await new TurnStore(connection).read(turnId);
  if (stored === null) {
    const message = `There is no turn "${turnId}", or no longer: what failed more than a day ago is forgotten.`;
    throw new SkillyardError('TURN_NOT_FOUND', message, { details: { turnId } });
  }
  const { status } = stored.view;
  const ending = stored.fatal.find((one) => one.jobId === jobId);
  if (!hasEnded(status)) {
    const reason =
      ending === undefined
        ? `it may have been reopened already (skillyard why ${turnId})`
        : 'it will end because of this job, once what runs beside it has ended. Reopen it then';
    throw refused(jobId, `turn ${turnId} is ${status}; ${reason}`);
  }
  if (stored.endedBy === null) {
    const itself = (stored.view.outcome?.exitReason ?? null) !== null;
    const next = itself ? ': the skill itself ended it. Submit it anew when its reason no longer holds' : '';
    throw refused(jobId, `turn ${turnId} ended as ${status}, and not because of the result of a job${next}`);
  }
  if (ending === undefined) {
    const reason = `turn ${turnId} was ended by another job, ${stored.endedBy.jobId}; what failed here is part of its state`;
    throw refused(jobId, reason);
  }
  return { stored, ending };
}

/** The turns that ended because this one did, from the inside out (R4). */
async function ancestorsOf(connection: QueueConnection, { stored }: Reopenable): Promise<Reopenable[]> {
  const ancestors: Reopenable[] = [];
  for (let { parent } = stored.lineage; parent !== null;) {
    const waits = await connection.redis.hexists(connection.keys.turn(turnOfJob(parent)).jobs, parent);
    if (waits === 1) break;
    let above: Reopenable;
    try {
      above = await readReopenable(connection, parent);
    } catch (cause) {
      if (!SkillyardError.is(cause)) throw cause;
      const reason = `turn ${turnOfJob(parent)} delegated to it and no longer waits for it: ${cause.message}`;
      throw new SkillyardError('REOPEN_REFUSED', reason, { details: { jobId: parent }, cause });
    }
    ancestors.push(above);
    parent = above.stored.lineage.parent;
  }
  return ancestors;
}

/**
 * What becomes of the turn that a delegate job waits for.
 * @returns a turn that ended for good and has to be forgotten, so that the job starts a new one
 */
async function childOf(connection: QueueConnection, jobId: JobId, remedy: Remedy): Promise<TurnId | null> {
  if (remedy.how === 'value') return null;
  const child = childTurnId(jobId);
  const stored = await new TurnStore(connection).read(child);
  if (stored === null || !hasEnded(stored.view.status) || stored.view.status === 'completed') return null;
  if (stored.endedBy !== null) {
    const reason = `it failed because job ${stored.endedBy.jobId} of the delegated turn did; redrive or resolve that one`;
    throw refused(jobId, reason);
  }
  if (remedy.how === 'rerun') return child;
  const reason = `the turn it delegated to, ${child}, ended as ${stored.view.status} and would run again from its beginning`;
  throw refused(jobId, `${reason}; to let it: skillyard resolve ${jobId} --rerun`);
}

async function forgetTurn(connection: QueueConnection, turnId: TurnId): Promise<void> {
  await connection.redis.unlink(...(Object.values(connection.keys.turn(turnId)) as string[]));
}

async function reopen(
  connection: QueueConnection,
  { stored, ending }: Reopenable,
  { remedy, by }: ReopenRequest,
  nowMs: number,
): Promise<boolean> {
  const { keys, redis } = connection;
  const { turnId, endedAtMs } = stored.view;
  const { jobId } = ending;
  const turn = keys.turn(turnId);
  const text = await redis.hget(turn.state, 'turn');
  if (text === null) throw refused(jobId, 'what its turn was then is no longer stored');
  const header = JSON.parse(text) as Extract<StateRecord, { key: 'turn' }>;
  // The time it lay ended does not count against its limit of seconds.
  const startedAtMs = header.startedAtMs + (nowMs - (endedAtMs ?? nowMs));
  const reopened = { times: (header.reopened?.times ?? 0) + 1, atMs: nowMs };
  const how = remedy.how === 'redrive' ? 'redrive' : 'resolve';
  const event: TraceEvent = { type: 'turn.reopened', by, jobId, how, voids: stored.endedRows, atMs: nowMs };
  const given = remedy.how === 'value' ? resultOf(jobId, remedy.text) : null;
  const failed = stored.fatal.filter((one) => one.jobId !== jobId && isHarmless(one));
  const wanted = [...failed.map((one) => one.jobId), ...(given === null ? [jobId] : [])];
  const { again, results, order } = await planReplay(connection, turnId, wanted, given);
  await forgetResults(connection, turnId, new Set([jobId, ...wanted]));
  await putBack(connection, stored);
  const reply = await REOPEN.run(redis, {
    keys: [
      turn.meta,
      turn.state,
      turn.jobs,
      turn.claims,
      turn.payloads,
      turn.trace,
      turn.memory,
      turn.conversations,
      turn.endedJobs,
      turn.replay,
      turn.history,
    ],
    args: [
      stored.version,
      JSON.stringify(event),
      JSON.stringify({ ...header, startedAtMs, reopened }),
      JSON.stringify(order),
      again.length,
      ...again,
      ...results.flatMap((result) => [result.jobId, JSON.stringify(result)]),
    ],
  });
  return reply === 1;
}

/** Puts a turn among those that have not ended (R3). */
async function putBack(connection: QueueConnection, stored: StoredTurn): Promise<void> {
  const { redis, keys } = connection;
  const { turnId, submittedAtMs } = stored.view;
  await Promise.all([
    redis.zadd(keys.shard(keys.shardOf(turnId)).live, 'NX', submittedAtMs, turnId),
    stored.lineage.parent === null && reenterTurn(connection, stored.view.origin.tenant, stored.view),
  ]);
}

/** Whether a job whose failure would end the turn again may run again without anybody having asked for it. */
function isHarmless({ kind, mayRepeat }: EndingResult): boolean {
  return !mayRepeat && kind !== 'delegate';
}

function resultOf(jobId: JobId, text: string): StepResult {
  return { jobId, status: text === '' ? 'empty' : 'ok', text };
}

function mayHaveRun(jobId: JobId): string {
  return (
    'its call must not run twice, and may have run. Find out whether it did: if so, give its result ' +
    `(skillyard resolve ${jobId} --value <text>); if not, or if it may run again: skillyard resolve ${jobId} --rerun`
  );
}

function refused(jobId: JobId, reason: string): SkillyardError {
  return new SkillyardError('REOPEN_REFUSED', `job ${jobId}: ${reason}`, { details: { jobId } });
}
