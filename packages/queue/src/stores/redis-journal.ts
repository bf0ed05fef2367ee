import type { CodeJournal, CodeRound, Json, TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { KEEP_ROUND } from '../scripts/keep-script.ts';

/**
 * What the code of turns decided, on Redis: any worker can make the next decision. Kept among the conversations of the
 * turn, so that it is kept and dropped with them.
 */
export class RedisJournal implements CodeJournal {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  async load(turnId: TurnId, journal: string, rounds: number): Promise<CodeRound[]> {
    if (rounds === 0) return [];
    const fields = Array.from({ length: rounds }, (_, round) => fieldOf(journal, round));
    const { redis, keys } = this.#connection;
    const entries = await redis.hmget(keys.turn(turnId).conversations, ...fields);
    return entries.flatMap((json) => (json === null ? [] : [JSON.parse(json) as CodeRound]));
  }

  async save(turnId: TurnId, journal: string, round: number, kept: CodeRound, decision: Json): Promise<Json> {
    const { redis, keys } = this.#connection;
    const { meta, conversations } = keys.turn(turnId);
    const earlier = await KEEP_ROUND.run(redis, {
      keys: [meta, conversations],
      args: [
        fieldOf(journal, round),
        JSON.stringify(kept),
        `code:${journal}#last`,
        JSON.stringify({ round, decision } satisfies LastDecision),
      ],
    });
    if (typeof earlier !== 'string') return decision;
    const last = JSON.parse(earlier) as LastDecision;
    // The turn has gone on meanwhile: nobody waits for this one.
    return last.round === round ? last.decision : decision;
  }
}

/** Only the last decision may be made a second time. */
interface LastDecision {
  readonly round: number;
  readonly decision: Json;
}

/** The names of conversations are paths: none begins like this. */
function fieldOf(journal: string, round: number): string {
  return `code:${journal}#${round}`;
}
