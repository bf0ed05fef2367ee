import { type RouteBody, type RouteReply, SkillyardError, type TurnOutcome } from '@skillyard/contracts';
import { followTurn, type WatchArgs, type WatchedEvent } from './event-stream.ts';
import { OperationsOf } from './operations.ts';
import { type ClientOptions, Transport } from './transport.ts';

/** A turn that has ended. */
export type EndedTurn = RouteReply<'getTurn'> & { readonly outcome: TurnOutcome };

/**
 * The HTTP API: a method for each operation, with the parameters of its path and query by their names.
 * What reads, and a submission, is repeated when the API cannot be reached, is busy (429) or away (503).
 * All throw SkillyardError with the code of the problem; API_UNAVAILABLE when there was no answer of the API.
 * @example
 * const client = new SkillyardClient({ url: 'http://127.0.0.1:7430', apiKey });
 * const { turnId } = await client.submitTurn({ body: { skill: { name: 'triage' }, input: 'the build is red' } });
 * for await (const { event } of client.watchTurn({ turnId })) console.log(event.type);
 */
export class SkillyardClient extends OperationsOf {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
  }

  /**
   * What happens to a turn, as it happens: every event once and in order, over broken connections too.
   * Ends with `turn.finished`, which has the outcome.
   */
  watchTurn(args: WatchArgs): AsyncGenerator<WatchedEvent> {
    const { turnId, signal } = args;
    const hasEnded = async (): Promise<boolean> =>
      (await this.getTurn({ turnId, signal })).endedAtMs !== null;
    return followTurn(this.#transport, args, hasEnded);
  }

  /**
   * Submits a turn and waits for its end.
   * @param options the signal gives up the waiting, not the turn
   */
  async runTurn(
    body: RouteBody<'submitTurn'>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<EndedTurn> {
    const { turnId } = await this.submitTurn({ body, signal });
    let watched: WatchedEvent | undefined;
    for await (watched of this.watchTurn({ turnId, signal }));
    signal?.throwIfAborted();
    const turn = await this.getTurn({ turnId, signal });
    const outcome = turn.outcome ?? watched?.outcome ?? null;
    if (outcome !== null) return { ...turn, outcome };
    throw new SkillyardError('API_UNAVAILABLE', `turn ${turnId} has ended, and the API does not say how`);
  }
}
