import type { ModelRequest, RedisServer } from '@skillyard/testing';
import type { CliRun, Workplace } from './cli-process.ts';

/** The same turn by either driver. */
export interface Driver {
  readonly name: string;
  run(place: Workplace, args: readonly string[]): Promise<CliRun>;
}

/** A turn in the process of the command. */
export const local: Driver = { name: 'run', run: (place, args) => place.run(['run', ...args]) };

/** A turn that is submitted to a running system and followed to its end. */
export function queueOn(redis: RedisServer | undefined): Driver {
  const env = { REDIS_URL: redis?.url ?? '' };
  return { name: 'submit', run: (place, args) => place.run(['submit', ...args, '--watch'], env) };
}

interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

/** What a model was told, in order. */
export function messagesOf(request: ModelRequest): readonly ChatMessage[] {
  return request.body['messages'] as readonly ChatMessage[];
}

/** What the tools said to a model so far, in order. */
export function replies(request: ModelRequest): string[] {
  return messagesOf(request)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));
}
