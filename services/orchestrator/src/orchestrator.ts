/**
 * The loop: messages of turns come in batches, go through the machine, are committed, and what follows from them is
 * done. The order is that of the protocol (Q1..Q8 in packages/queue): commit, dispatch, acknowledge.
 *
 * O1 One batch at a time goes through the machine: a turn is never changed by two things at once in this process. What
 *    follows from a committed batch is done while the next one is read and applied, in the order of the batches: all of
 *    it is in Redis by then, and may be done twice.
 * O4 Only turns of shards that are ours are started and changed. Messages of others are put back for their owner.
 *    Whoever loses a shard in the middle finds out at the commit.
 * O5 The deadline of a turn is set before the turn is: a turn without its deadline would run for ever.
 */
import type { JobId, TurnId } from '@skillyard/contracts';
import { turnDeadlineMs } from '@skillyard/engine';
import {
  type Delivery,
  type FailedJobs,
  hasEnded,
  insist,
  type Lineage,
  type OnTransition,
  type ResultsConsumer,
  type Timers,
  type TurnMessage,
  type TurnStore,
  type TurnView,
} from '@skillyard/queue';
import type { Telemetry, TraceFields } from '@skillyard/telemetry';
import type { Dispatcher } from './dispatcher.ts';
import type { Windows } from './fairness/windows.ts';
import type { LiveTurn } from './live-turn.ts';
import type { Logger } from './logger.ts';
import { tracedTurn } from './traced-turn.ts';
import type { TurnKeeper } from './turn-keeper.ts';
import type { TurnStep } from './turn-step.ts';

/** How often a batch may find a turn changed by somebody else before it starts over with a pause. */
const MOST_ROUNDS = 5;
/** Between two attempts to read results, when they cannot be read. */
const PAUSE_MS = 500;

export interface OrchestratorParts {
  readonly store: TurnStore;
  readonly consumer: ResultsConsumer;
  readonly timers: Timers;
  readonly keeper: TurnKeeper;
  readonly dispatcher: Dispatcher;
  readonly windows: Windows;
  /** Whether the shard of a turn is ours. */
  readonly owns: (turnId: TurnId) => boolean;
  /** Has a submitted turn started by the owner of its shard. */
  readonly askForStart: (turnId: TurnId) => Promise<void>;
  /** Posts results that are known. */
  readonly postKept: (turnId: TurnId, jobIds: readonly JobId[]) => Promise<void>;
  /** Posts the results that a reopened turn is to be given again. */
  readonly followReopening: (turnId: TurnId) => Promise<void>;
  readonly failures: FailedJobs;
  readonly telemetry?: Telemetry | undefined;
  readonly log: Logger;
  readonly now: () => number;
  readonly onTransition?: OnTransition | undefined;
}

/** A batch whose changes are committed: what is still to be done for it. */
interface Committed {
  readonly steps: readonly TurnStep[];
  /** Whether the jobs of workers are in their queues. */
  readonly enqueued: Promise<boolean>;
  /** Of `steps`: those that started their turn. */
  readonly started: readonly TurnStep[];
  /** Turns of which an earlier commit may never have been followed up. */
  readonly repeats: readonly TurnId[];
  readonly handled: readonly Delivery[];
  /** Messages of turns that are not ours. */
  readonly notOurs: readonly Delivery[];
}

export class Orchestrator {
  readonly #parts: OrchestratorParts;
  #loop: Promise<void> | undefined;
  /** Ends when everything that follows from the batches so far is done. */
  #followed: Promise<void> = Promise.resolve();
  #stopping = false;
  #passed: (() => void)[] = [];

  constructor(parts: OrchestratorParts) {
    this.#parts = parts;
  }

  run(): void {
    this.#loop = this.#runLoop();
  }

  /** Finishes the batches under way and stops. What was read and not handled stays unacknowledged. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#parts.consumer.close();
    await this.#loop;
    await this.#followed;
  }

  /** Resolves when the read and the batches that are under way now are done with. */
  async passed(): Promise<void> {
    if (this.#loop === undefined) return;
    await Promise.race([this.#loop, new Promise<void>((resolve) => this.#passed.push(resolve))]);
    await this.#followed;
  }

  async #runLoop(): Promise<void> {
    const { consumer, log } = this.#parts;
    while (!this.#stopping) {
      for (const resolve of this.#passed.splice(0)) resolve();
      // A search for what others left behind would find what we have in hand ourselves.
      if (consumer.isSearching) await this.#followed;
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

  /** Handles a batch, whatever happens: while Redis is away it waits, and then begins anew. */
  async #handle(batch: readonly Delivery[]): Promise<void> {
    const { keeper, log } = this.#parts;
    let isRetry = false;
    const complain = (error: Error): void =>
      log.error({ reason: error.message, messages: batch.length }, 'a batch failed; trying again');
    const committed = await insist(async () => {
      try {
        return await this.#commit(batch, isRetry);
      } catch (error) {
        // Some of it may be committed, and nothing that follows from it is done.
        isRetry = true;
        for (const { message } of batch) keeper.drop(message.turnId);
        throw error;
      }
    }, complain);
    // One batch ahead and no further: what is not followed up would pile up here, unacknowledged.
    await this.#followed;
    this.#followed = insist(() => this.#follow(committed), complain);
  }

  /** Puts a batch through the machine and commits what it did. Nothing of it is acknowledged yet. */
  async #commit(batch: readonly Delivery[], isRetry: boolean): Promise<Committed> {
    const { keeper, windows, owns } = this.#parts;
    // Whatever becomes of the results: those who did the jobs are free for the jobs that follow.
    windows.settle(answeredBy(batch));
    let waiting = groupByTurn(batch);
    const strange = new Set<TurnId>();
    const steps: TurnStep[] = [];
    const started: TurnStep[] = [];
    const repeats: TurnId[] = [];
    const enqueued: Promise<boolean>[] = [];
    // A turn that somebody else changed meanwhile is read anew and goes once more.
    for (let round = 1; waiting.size > 0; round++) {
      if (round > MOST_ROUNDS)
        throw new Error(`turns change under our hands: ${[...waiting.keys()].join(', ')}`);
      for (const turnId of waiting.keys()) if (!owns(turnId)) strange.add(turnId);
      for (const turnId of strange) waiting.delete(turnId);
      const again = new Map<TurnId, Group>();
      const applied = await Promise.all(
        [...waiting].map(async ([turnId, group]) => ({
          turnId,
          group,
          step: await keeper.apply(turnId, group.messages),
        })),
      );
      const toCommit: TurnStep[] = [];
      for (const { turnId, group, step } of applied) {
        if (step === 'again') again.set(turnId, group);
        if (step === 'over') windows.forget(turnId);
        if (typeof step === 'string') continue;
        toCommit.push(step);
        // What followed from an earlier commit may never have been done: by us before a crash, or by whoever came first.
        if (round > 1 || isRetry || (step.sawRepeat && group.mayBeUndone)) repeats.push(turnId);
      }
      const starting = new Set(toCommit.filter(({ live }) => live.version === 0));
      await Promise.all([...starting].map((step) => this.#setDeadline(step)));
      const committing = keeper.commit(toCommit);
      enqueued.push(this.#enqueueBehind(toCommit));
      const committed = new Set(await committing);
      this.#trace(committed);
      for (const step of committed) (starting.has(step) ? started : steps).push(step);
      for (const { turnId, group, step } of applied) {
        if (typeof step === 'string' || committed.has(step)) continue;
        again.set(turnId, group);
        windows.settle(step.asked.map(({ job }) => job.id));
      }
      waiting = again;
    }
    const isStrange = ({ message }: Delivery): boolean => strange.has(message.turnId);
    return {
      steps: [...steps, ...started],
      enqueued: Promise.all(enqueued).then((all) => all.every(Boolean)),
      started,
      repeats,
      handled: batch.filter((delivery) => !isStrange(delivery)),
      notOurs: batch.filter(isStrange),
    };
  }

  /** Tells what is known for good now: once, whatever has to be repeated later. */
  #trace(committed: Iterable<TurnStep>): void {
    const { telemetry } = this.#parts;
    if (telemetry === undefined) return;
    for (const step of committed) telemetry.turnCommitted(tracedTurn(step.live), step);
  }

  /** What lines of the log say of the trace of a turn. */
  #fields(live: LiveTurn): TraceFields | undefined {
    return this.#parts.telemetry?.turnFields(tracedTurn(live));
  }

  /**
   * Sees to it that a turn of ours goes on, wherever it stands.
   * @param wholly also ask again for jobs that somebody has started: their tickets may have been lost, which no crash
   *   of ours explains
   * @returns false if there is no such turn
   */
  async resume(turnId: TurnId, wholly = false): Promise<boolean> {
    const { store, keeper, windows, askForStart } = this.#parts;
    const stored = await store.read(turnId);
    if (stored === null) return false;
    const { status, outcome } = stored.view;
    if (status === 'queued') await askForStart(turnId);
    if (stored.reopened) await this.#followReopening(stored.view);
    if (hasEnded(status)) {
      windows.forget(turnId);
      await keeper.announce({ turnId, lineage: stored.lineage, origin: stored.view.origin }, outcome);
    } else if (status === 'running') await this.#askAgain(turnId, stored.lineage, wholly);
    return true;
  }

  async #askAgain(turnId: TurnId, lineage: Lineage, wholly: boolean): Promise<void> {
    const { store, dispatcher, windows, owns, postKept } = this.#parts;
    const { unclaimed, claimed, kept } = await store.undone(turnId);
    windows.reconcile(turnId, new Set([...[...unclaimed, ...claimed].map(({ job }) => job.id), ...kept]));
    await dispatcher.dispatch(wholly ? [...unclaimed, ...claimed] : unclaimed, () => lineage);
    if (kept.length > 0) await postKept(turnId, kept);
    // It may have ended, or gone to another owner, between the look and the asking: then nobody settles what was asked.
    if (!owns(turnId) || !(await store.isRunning(turnId))) windows.forget(turnId);
  }

  /** An operator let a turn go on that had ended. */
  async #followReopening({ turnId, origin }: TurnView): Promise<void> {
    const { store, keeper, timers, followReopening, log, now } = this.#parts;
    keeper.drop(turnId);
    const deadlineMs = await keeper.deadlineMs(turnId);
    if (deadlineMs !== null) await timers.setDeadline(turnId, deadlineMs - now());
    // One that is past has been seen by whoever reopened the turn.
    const { deadlineMs: cutoffMs } = origin;
    if (cutoffMs !== undefined && cutoffMs > now()) await timers.setCutoff(turnId, cutoffMs - now());
    // Its end may be about to be written down: before the turn is put back, and not after it.
    await store.flush();
    await followReopening(turnId);
    log.info({ turnId }, 'turn reopened');
  }

  /**
   * Sends the tickets of jobs behind the commits that ask for them, on the same connection: a round trip less before a
   * worker has them. Not in a test that wants to see what lies between the two.
   * @returns whether the queues have them
   */
  async #enqueueBehind(steps: readonly TurnStep[]): Promise<boolean> {
    const { dispatcher, owns, onTransition } = this.#parts;
    if (onTransition !== undefined) return false;
    try {
      // A turn that was lost meanwhile is not even sent a commit.
      await dispatcher.enqueue(steps.filter(({ turnId }) => owns(turnId)).flatMap(({ asked }) => asked));
      return true;
    } catch {
      // They are enqueued again when the commit is known, and whatever is wrong is said then.
      return false;
    }
  }

  /** Does what follows from a committed batch, and acknowledges it. May be done twice. */
  async #follow(batch: Committed): Promise<void> {
    const { steps, started, repeats, handled, notOurs } = batch;
    const { consumer, keeper, log, onTransition } = this.#parts;
    for (const { turnId, live } of started) {
      const facts = { skill: live.turn.program.name, depth: live.lineage.depth };
      log.info({ turnId, ...this.#fields(live), ...facts }, 'turn started');
    }
    await this.#dispatch(steps, await batch.enqueued);
    if (started.length > 0) await onTransition?.('start.after');
    await Promise.all(repeats.map((turnId) => this.resume(turnId)));
    await onTransition?.('ack.before');
    await consumer.acknowledge(handled);
    if (notOurs.length > 0) {
      await consumer.giveBack(notOurs);
      for (const { message } of notOurs) keeper.drop(message.turnId);
    }
    await onTransition?.('ack.after');
  }

  /** Has the jobs done that committed steps asked for, and makes known what they ended. */
  async #dispatch(steps: readonly TurnStep[], isEnqueued: boolean): Promise<void> {
    const { dispatcher, failures } = this.#parts;
    const lineages = new Map(steps.map(({ live }) => [live.turn.id, live.lineage]));
    const lineageOf = (turnId: TurnId): Lineage =>
      lineages.get(turnId) ?? { parent: null, depth: 0, root: turnId };
    await this.#parts.onTransition?.('enqueue.before');
    const asked = steps.flatMap((step) => step.asked);
    if (!isEnqueued) await dispatcher.enqueue(asked);
    await dispatcher.startOthers(asked, lineageOf);
    await this.#parts.onTransition?.('enqueue.after');
    await dispatcher.withdraw(steps.flatMap(({ dropped }) => dropped));
    await Promise.all(steps.map(({ closed, live }) => dispatcher.closeQuestions(closed, live.origin.tenant)));
    await failures.record(steps.flatMap(({ failed }) => failed));
    await Promise.all(steps.map((step) => this.#conclude(step)));
  }

  async #setDeadline({ live, outcome }: TurnStep): Promise<void> {
    const { timers, now } = this.#parts;
    const deadlineMs = turnDeadlineMs(live.turn);
    if (outcome !== null) return;
    if (deadlineMs !== null) await timers.setDeadline(live.turn.id, deadlineMs - now());
    const cutoffMs = live.origin.deadlineMs;
    if (cutoffMs !== undefined) await timers.setCutoff(live.turn.id, cutoffMs - now());
  }

  /** Makes the end of a turn known, if it has come. */
  async #conclude({ live, outcome, turnId }: TurnStep): Promise<void> {
    const { timers, keeper, windows, log, now } = this.#parts;
    if (outcome === null) return;
    windows.forget(turnId);
    const { status, usage, error } = outcome;
    const ms = now() - live.turn.header.startedAtMs;
    const code = error?.code;
    log.info({ turnId, ...this.#fields(live), status, ms, ...usage, ...(code && { code }) }, 'turn ended');
    await keeper.announce({ turnId, lineage: live.lineage, origin: live.origin }, outcome);
    if (turnDeadlineMs(live.turn) !== null) await timers.clearDeadline(turnId);
    if (live.origin.deadlineMs !== undefined) await timers.clearCutoff(turnId);
  }
}

/** The messages of one turn in a batch. */
interface Group {
  readonly messages: TurnMessage[];
  /** Whether what follows from them may be left undone: they came before, or somebody asks for the turn to go on. */
  mayBeUndone: boolean;
}

/** The jobs whose results are in a batch. */
function answeredBy(batch: readonly Delivery[]): JobId[] {
  return batch.flatMap(({ message }) => (message.type === 'result' ? [message.result.jobId] : []));
}

function groupByTurn(batch: readonly Delivery[]): Map<TurnId, Group> {
  const groups = new Map<TurnId, Group>();
  for (const { message, redelivered } of batch) {
    const mayBeUndone = redelivered || message.type === 'start';
    const group = groups.get(message.turnId);
    if (group === undefined) {
      groups.set(message.turnId, { messages: [message], mayBeUndone });
    } else {
      group.messages.push(message);
      group.mayBeUndone ||= mayBeUndone;
    }
  }
  return groups;
}
