import type { JobId, StepResult, TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';

/** What a turn that is reopened is given, and what it has to do again. */
export interface ReplayPlan {
  /** Jobs that run again. */
  readonly again: readonly JobId[];
  /** Results that are decided now. Others that are known lie in the payloads of the turn. */
  readonly results: readonly StepResult[];
  /** All jobs with a known result, in the order in which the results have to be given. */
  readonly order: readonly JobId[];
}

/**
 * Decides about every job that had been begun when the turn ended, or when what decided its end dropped it.
 *
 * Jobs that were running then were stopped, and their claims are void: their workers may live. Those that may be repeated
 * run again; of a call that must not, nobody knows how far it got.
 * @param wanted jobs that are to run again whatever is known of them
 * @param given a result that somebody decided on
 */
export async function planReplay(
  connection: QueueConnection,
  turnId: TurnId,
  wanted: readonly JobId[],
  given: StepResult | null,
): Promise<ReplayPlan> {
  const { redis, keys } = connection;
  const turn = keys.turn(turnId);
  const [jobs, claims, replay, payloads] = await Promise.all([
    redis.hgetall(turn.endedJobs),
    redis.hgetall(turn.claims),
    redis.lrange(turn.replay, 0, -1),
    redis.hkeys(turn.payloads),
  ]);
  const hasResult = new Set([...payloads, ...(given === null ? [] : [given.jobId])]);
  const again = new Set(wanted);
  const results = given === null ? [] : [given];
  for (const id of Object.keys(claims) as JobId[]) {
    if (again.has(id) || hasResult.has(id)) continue;
    // A job that the turn asked for after what decided its end is not in this outbox; its claim is kept if it is `once`.
    const text = jobs[id];
    const effect = text === undefined ? 'once' : (JSON.parse(text) as JobEnvelope).effect;
    if (effect === 'once') results.push({ jobId: id, status: 'lost', text: '', error: STOPPED });
    else again.add(id);
  }
  const known = [...replay, ...payloads, ...results.map(({ jobId }) => jobId)] as JobId[];
  return { again: [...again], results, order: [...new Set(known)].filter((id) => !again.has(id)) };
}

const STOPPED = {
  code: 'STEP_LOST',
  message: 'it was running when its turn failed, and was stopped; whether it was done is not known',
};
