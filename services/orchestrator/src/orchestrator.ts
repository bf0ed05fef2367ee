/**
 * The loop: messages of turns come in batches, go through the machine, are committed, and what follows from them is
 * dispatched. The order is that of the protocol (Q1..Q8 in packages/queue): commit, dispatch, acknowledge.
 *
 * O1 One batch at a time: a turn is never changed by two things at once in this process.
 * O4 Only turns of shards that are ours are started and changed. Everything else is left to their owner: messages are
 *    put back, turns to start are handed over. Whoever loses a shard in the middle finds out at the commit.
 * O5 The deadline of a turn is set before the turn is: a turn without its deadline would run for ever.
 */
import type { TurnId } from '@skillyard/contracts';
import { turnDeadlineMs } from '@skillyard/engine';
import {
  type Delivery,
  type FailedJobs,
  hasEnded,
  insist,
  type Lineage,
  type OnTransition,
  type ResultsConsumer,
  type TurnMessage,
  type TurnState,
  type TurnsQueue,
  type TurnStore,
} from '@skillyard/queue';
import type { Dispatcher } from './dispatcher.ts';
import type { Logger } from './logger.ts';
import type { TurnKeeper } from './turn-keeper.ts';
import type { TurnStep } from './turn-step.ts';

/** How often a batch may find a turn changed by somebody else before it starts over with a pause. */
const MOST_ROUNDS = 5;
/** Between two attempts to read results, when they cannot be read. */
const PAUSE_MS = 500;

export interface OrchestratorParts {
  readonly store: TurnStore;
  readonly consumer: ResultsConsumer;
  readonly turns: TurnsQueue;
  readonly keeper: TurnKeeper;
  readonly dispatcher: Dispatcher;
  /** Whether the shard of a turn is ours. */
  readonly owns: (turnId: TurnId) => boolean;
  /** Posts the results that a reopened turn is to be given again. */
  readonly followReopening: (turnId: TurnId) => Promise<void>;
  readonly failures: FailedJobs;
  /** Has a turn started by the owner of its shard. */
  readonly handOver: (turnId: TurnId) => Promise<void>;
  readonly log: Logger;
  readonly now: () => number;
  readonly onTransition?: OnTransition | undefined;
}

export class Orchestrator {
  readonly #parts: OrchestratorParts;
  #loop: Promise<void> | undefined;
  #stopping = false;
  #passed: (() => void)[] = [];

  constructor(parts: OrchestratorParts) {
    this.#parts = parts;
  }

  run(): void {
    this.#loop = this.#runLoop();
  }

  /** Finishes the batch under way and stops. What was read and not handled stays unacknowledged. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#parts.consumer.close();
    await this.#loop;
  }

  /** Resolves when the read and the batch that are under way now are done with. */
  async passed(): Promise<void> {
    if (this.#loop === undefined) return;
    await Promise.race([this.#loop, new Promise<void>((resolve) => this.#passed.push(resolve))]);
  }

  async #runLoop(): Promise<void> {
    const { consumer, log } = this.#parts;
    while (!this.#stopping) {
      for (const resolve of this.#passed.splice(0)) resolve();
      let batch: Delivery[] = [];
      try {
        batch = await consumer.next();
      } catch (error) {
        if (this.#stopping) return;
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'results cannot be read; trying again');
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      if (batch.length > 0) await this.#handle(batch);
    }
  }

  /** Starts a turn that was submitted, or has its owner start it (O4). Starting it twice changes nothing. */
  async start(turnId: TurnId): Promise<void> {
    const { store, keeper, turns, owns, handOver, log, now } = this.#parts;
    await this.#parts.onTransition?.('start.before');
    if (!owns(turnId)) {
      await handOver(turnId);
      return;
    }
    const submission = await store.readSubmission(turnId);
    if (submission === null) return;
    const begun = submission.status === 'queued' ? await keeper.begin(turnId, submission) : 'again';
    if (begun === 'over') return;
    if (begun !== 'again') {
      const deadlineMs = turnDeadlineMs(begun.live.turn);
      if (deadlineMs !== null && begun.outcome === null) await turns.setDeadline(turnId, deadlineMs - now());
    }
    const [step] = begun === 'again' ? [] : await keeper.commit([begun]);
    if (step === undefined) {
      // Somebody else started it, or the shard was lost at this moment.
      if (owns(turnId)) await this.#goOn(turnId);
      else await handOver(turnId);
      return;
    }
    const { turn, lineage } = step.live;
    log.info({ turnId, skill: turn.program.name, depth: lineage.depth }, 'turn started');
    await this.#follow([step]);
    await this.#parts.onTransition?.('start.after');
  }

  /** A turn that cannot be started now must not keep others waiting: the sweep comes back to it (Q8). */
  async #tryStart(turnId: TurnId): Promise<void> {
    try {
      await this.start(turnId);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.log.error({ turnId, reason }, 'a turn cannot be started; trying again later');
    }
  }

  /**
   * Sees to it that a turn of ours goes on, wherever it stands.
   * @returns false if there is no such turn
   */
  async resume(turnId: TurnId): Promise<boolean> {
    const { turns } = this.#parts;
    const status = await this.#goOn(turnId);
    if (status !== 'queued') return status !== null;
    await turns.start([turnId]);
    // Whoever took it from the queue may have died: the queue would find out later than the shard's new owner.
    if (await turns.isTaken(turnId)) await this.start(turnId);
    return true;
  }

  /** Asks again for whatever a started turn waits for; makes the end of an ended one known. */
  async #goOn(turnId: TurnId): Promise<TurnState | null> {
    const { store, keeper, dispatcher } = this.#parts;
    const stored = await store.read(turnId);
    if (stored === null) return null;
    const { status, outcome } = stored.view;
    if (stored.reopened) await this.#followReopening(turnId);
    if (hasEnded(status)) await keeper.announce(turnId, stored.lineage, outcome);
    else if (status === 'running')
      await dispatcher.dispatch(await store.undone(turnId), () => stored.lineage);
    return status;
  }

  /** An operator let a turn go on that had ended. */
  async #followReopening(turnId: TurnId): Promise<void> {
    const { keeper, turns, followReopening, log, now } = this.#parts;
    keeper.drop(turnId);
    const deadlineMs = await keeper.deadlineMs(turnId);
    if (deadlineMs !== null) await turns.setDeadline(turnId, deadlineMs - now());
    await followReopening(turnId);
    log.info({ turnId }, 'turn reopened');
  }

  /** Handles a batch, whatever happens: while Redis is away it waits, and then begins anew. */
  async #handle(batch: readonly Delivery[]): Promise<void> {
    const { keeper, log } = this.#parts;
    await insist(
      async () => {
        try {
          await this.#handleOnce(batch);
        } catch (error) {
          for (const { message } of batch) keeper.drop(message.turnId);
          throw error;
        }
      },
      (error) => log.error({ reason: error.message, messages: batch.length }, 'a batch failed; trying again'),
    );
  }

  async #handleOnce(batch: readonly Delivery[]): Promise<void> {
    const { keeper, consumer, owns } = this.#parts;
    const starts = batch.filter(({ message }) => message.type === 'start');
    await Promise.all(starts.map(({ message }) => this.#tryStart(message.turnId)));
    let waiting = groupByTurn(batch);
    const notOurs = new Set<TurnId>();
    // A turn that somebody else changed meanwhile is read anew and goes once more.
    for (let round = 1; waiting.size > 0; round++) {
      if (round > MOST_ROUNDS)
        throw new Error(`turns change under our hands: ${[...waiting.keys()].join(', ')}`);
      for (const turnId of waiting.keys()) if (!owns(turnId)) notOurs.add(turnId);
      for (const turnId of notOurs) waiting.delete(turnId);
      const steps: TurnStep[] = [];
      const repeats: TurnId[] = [];
      const again = new Map<TurnId, Group>();
      const applied = await Promise.all(
        [...waiting].map(async ([turnId, group]) => ({
          turnId,
          group,
          step: await keeper.apply(turnId, group.messages),
        })),
      );
      for (const { turnId, group, step } of applied) {
        if (step === 'again') again.set(turnId, group);
        if (typeof step === 'string') continue;
        steps.push(step);
        // What followed from an earlier commit may never have been done: by us before a crash, or by whoever came first.
        if (round > 1 || (step.sawRepeat && group.redelivered)) repeats.push(turnId);
      }
      const committed = new Set(await keeper.commit(steps));
      await this.#follow([...committed]);
      await Promise.all(repeats.map((turnId) => this.resume(turnId)));
      for (const { turnId, group, step } of applied) {
        if (typeof step !== 'string' && !committed.has(step)) again.set(turnId, group);
      }
      waiting = again;
    }
    await this.#parts.onTransition?.('ack.before');
    const left = batch.filter(({ message }) => message.type !== 'start' && notOurs.has(message.turnId));
    await consumer.acknowledge(batch.filter((delivery) => !left.includes(delivery)));
    if (left.length > 0) {
      await consumer.giveBack(left);
      for (const turnId of notOurs) keeper.drop(turnId);
    }
    await this.#parts.onTransition?.('ack.after');
  }

  /** Does what follows from committed steps. */
  async #follow(steps: readonly TurnStep[]): Promise<void> {
    const { dispatcher, failures } = this.#parts;
    const lineages = new Map(steps.map(({ live }) => [live.turn.id, live.lineage]));
    const lineageOf = (turnId: TurnId): Lineage =>
      lineages.get(turnId) ?? { parent: null, depth: 0, root: turnId };
    await this.#parts.onTransition?.('enqueue.before');
    await dispatcher.dispatch(
      steps.flatMap(({ asked }) => asked),
      lineageOf,
    );
    await this.#parts.onTransition?.('enqueue.after');
    await dispatcher.withdraw(steps.flatMap(({ dropped }) => dropped));
    await failures.record(steps.flatMap(({ failed }) => failed));
    await Promise.all(steps.map((step) => this.#conclude(step)));
  }

  /** Makes the end of a turn known, if it has come. */
  async #conclude({ live, outcome, turnId }: TurnStep): Promise<void> {
    const { turns, keeper, log, now } = this.#parts;
    if (outcome === null) return;
    const { status, usage, error } = outcome;
    const ms = now() - live.turn.header.startedAtMs;
    log.info({ turnId, status, ms, ...usage, ...(error && { code: error.code }) }, 'turn ended');
    await keeper.announce(turnId, live.lineage, outcome);
    if (turnDeadlineMs(live.turn) !== null) await turns.clearDeadline(turnId);
  }
}

/** The messages of one turn in a batch. */
interface Group {
  readonly messages: TurnMessage[];
  readonly redelivered: boolean;
}

function groupByTurn(batch: readonly Delivery[]): Map<TurnId, Group> {
  const groups = new Map<TurnId, Group>();
  for (const { message, redelivered } of batch) {
    if (message.type === 'start') continue;
    const group = groups.get(message.turnId) ?? { messages: [], redelivered: false };
    group.messages.push(message);
    groups.set(message.turnId, { messages: group.messages, redelivered: group.redelivered || redelivered });
  }
  return groups;
}
