import { randomUUID } from 'node:crypto';
import { type StepError, turnId, type TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { postCancel } from '../results/post-result.ts';
import { submitTurn, type TurnRequest } from './submit-turn.ts';
import { TraceHub } from './trace-hub.ts';
import { hasEnded, type TurnView } from './turn-status.ts';
import { TurnStore } from './turn-store.ts';
import { notFound, type WatchedEvent, type WatchOptions, watchTurn } from './watch-turn.ts';

/** A turn to be run, as a client asks for it. */
export type TurnSubmission = Omit<TurnRequest, 'turnId' | 'lineage'> & {
  /** Given by a client that may have to submit again: a second submission of the same id changes nothing. */
  readonly turnId?: string;
};

/** What programs that are not the orchestrator do with turns: the command line, the HTTP API. */
export class TurnClient {
  readonly #connection: QueueConnection;
  readonly #store: TurnStore;
  readonly #hub: TraceHub;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
    this.#store = new TurnStore(connection);
    this.#hub = new TraceHub(connection);
  }

  /**
   * Submits a turn. It runs once an orchestrator takes it.
   * @returns its id
   * @throws RangeError if the given id is no turn id
   */
  async submitTurn(submission: TurnSubmission): Promise<TurnId> {
    const id = turnId(submission.turnId ?? newTurnId());
    await submitTurn(this.#connection, { ...submission, turnId: id }, Date.now());
    return id;
  }

  /** @see watchTurn */
  watchTurn(id: TurnId, options: WatchOptions = {}): AsyncGenerator<WatchedEvent> {
    return watchTurn(this.#connection, this.#hub, id, options);
  }

  /** @throws SkillyardError TURN_NOT_FOUND */
  async readTurn(id: TurnId): Promise<TurnView> {
    const stored = await this.#store.read(id);
    if (stored === null) throw notFound(id);
    return stored.view;
  }

  /**
   * Asks for a turn to be cancelled. It ends soon after, as `cancelled`, with this reason.
   * @returns false if it had ended already
   * @throws SkillyardError TURN_NOT_FOUND
   */
  async cancelTurn(id: TurnId, reason = 'cancelled on request'): Promise<boolean> {
    const { status } = await this.readTurn(id);
    if (hasEnded(status)) return false;
    const error: StepError = { code: 'TURN_CANCELLED', message: reason };
    await postCancel(this.#connection, id, error);
    return true;
  }
}

/** Ids sort by the time of their submission, and two clients never make the same. */
function newTurnId(): string {
  return `t${Date.now().toString(36)}${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}
