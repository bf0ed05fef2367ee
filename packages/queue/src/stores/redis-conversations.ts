import type { ConversationStore, TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { KEEP } from '../scripts/keep-script.ts';

/**
 * The messages of model steps on Redis: any model worker can make the next round.
 * A message is anything that is the same after JSON.
 */
export class RedisConversations<Message> implements ConversationStore<Message> {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  async load(turnId: TurnId, conversation: string, rounds: number): Promise<Message[]> {
    if (rounds === 0) return [];
    const fields = Array.from({ length: rounds }, (_, round) => fieldOf(conversation, round));
    const { redis, keys } = this.#connection;
    const entries = await redis.hmget(keys.turn(turnId).conversations, ...fields);
    return entries.flatMap((json) => (json === null ? [] : (JSON.parse(json) as Message[])));
  }

  async save(
    turnId: TurnId,
    conversation: string,
    round: number,
    messages: readonly Message[],
  ): Promise<void> {
    const { redis, keys } = this.#connection;
    const { meta, conversations } = keys.turn(turnId);
    const args = [fieldOf(conversation, round), JSON.stringify(messages)];
    await KEEP.run(redis, { keys: [meta, conversations], args });
  }
}

function fieldOf(conversation: string, round: number): string {
  return `${conversation}#${round}`;
}
