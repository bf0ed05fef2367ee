/**
 * The loop: messages of turns come in batches, go through the machine, are committed, and what follows from them is
 * dispatched. The order is that of the protocol (Q1..Q8 in packages/queue): commit, dispatch, acknowledge.
 *
 * O1 One batch at a time: a turn is never changed by two things at once in this process.
 * O2 What is in memory is equal to what is in Redis, or is dropped: after a refused commit, after any failure, and when
 *    a result comes that it knows nothing of.
 */
import { SkillyardError, type StepError, type TurnId, type TurnOutcome } from '@skillyard/contracts';
import { loadTurn, type Program, startTurn, turnDeadlineMs, type TurnSettings } from '@skillyard/engine';
import {
  type Delivery,
  hasEnded,
  insist,
  type Lineage,
  type ResultsConsumer,
  type StoredTurn,
  type TurnMessage,
  type TurnsQueue,
  type TurnStore,
} from '@skillyard/queue';
import type { Delegates } from './delegates.ts';
import type { Dispatcher } from './dispatcher.ts';
import { endedWithoutRunning } from './ended-without-running.ts';
import { type LiveTurn, pendingJob, type TurnCache } from './live-turn.ts';
import type { Logger } from './logger.ts';
import type { Programs } from './programs.ts';
import { type Route, TurnStep } from './turn-step.ts';

/** How often a batch may find a turn changed by somebody else before it starts over with a pause. */
const MOST_ROUNDS = 5;

export interface OrchestratorParts {
  readonly store: TurnStore;
  readonly consumer: ResultsConsumer;
  readonly turns: TurnsQueue;
  readonly cache: TurnCache;
  readonly programs: Programs;
  readonly dispatcher: Dispatcher;
  readonly delegates: Delegates;
  readonly route: Route;
  /** What is decided about a turn that starts now; a submission may differ. */
  readonly settings: () => Promise<TurnSettings>;
  readonly log: Logger;
  readonly now: () => number;
}

export class Orchestrator {
  readonly #parts: OrchestratorParts;
  #loop: Promise<void> | undefined;
  #stopping = false;

  constructor(parts: OrchestratorParts) {
    this.#parts = parts;
  }

  /** Handles everything that came while nobody was there. */
  async catchUp(minIdleMs: number): Promise<void> {
    const { consumer } = this.#parts;
    for await (const batch of consumer.takeOver(minIdleMs)) await this.#handle(batch);
    for (let batch = await consumer.next(false); batch.length > 0; batch = await consumer.next(false)) {
      await this.#handle(batch);
    }
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

  async #runLoop(): Promise<void> {
    const { consumer, log } = this.#parts;
    while (!this.#stopping) {
      let batch: Delivery[] = [];
      try {
        batch = await consumer.next();
      } catch (error) {
        if (this.#stopping) return;
        log.warn({ reason: reasonOf(error) }, 'results cannot be read; trying again');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      if (batch.length > 0) await this.#handle(batch);
    }
  }

  /** Starts a turn that was submitted. */
  async start(turnId: TurnId): Promise<void> {
    const { store, settings, now } = this.#parts;
    const submission = await store.readSubmission(turnId);
    if (submission === null) return;
    if (submission.status !== 'queued') return void (await this.resume(turnId));
    const { vars, lineage, skill, file } = submission;
    const decided = { ...(await settings()), ...submission.settings };
    const ready = await this.#whenReady(turnId, skill, file, (program) => {
      const { turn, advance } = startTurn(program, { turnId, vars, settings: decided }, now());
      const begun = new TurnStep({ turn, lineage, version: 0, pending: new Map() }, this.#parts.route);
      begun.take(advance);
      return begun;
    });
    if (!ready.ok) return this.#refuse({ turnId, version: 0, lineage }, 'failed', ready.error);
    const step = ready.value;
    const [committed] = await this.#commit([step]);
    if (committed === undefined) return void (await this.resume(turnId));
    const { turn } = step.live;
    this.#parts.log.info({ turnId, skill: turn.program.name, depth: lineage.depth }, 'turn started');
    const deadlineMs = turnDeadlineMs(turn);
    if (deadlineMs !== null && step.outcome === null)
      await this.#parts.turns.setDeadline(turnId, deadlineMs - now());
    await this.#follow([step]);
  }

  /**
   * Sees to it that a turn goes on: whatever its outbox holds is asked for again, and its end is made known.
   * @returns false if there is no such turn
   */
  async resume(turnId: TurnId): Promise<boolean> {
    const { store, turns, dispatcher } = this.#parts;
    const stored = await store.read(turnId);
    if (stored === null) return false;
    const { status, outcome } = stored.view;
    if (status === 'queued') await turns.start([turnId]);
    else if (hasEnded(status)) await this.#announce(turnId, stored.lineage, outcome);
    else await dispatcher.dispatch(await store.pending(turnId), () => stored.lineage);
    return true;
  }

  /** Handles a batch, whatever happens: while Redis is away it waits, and then begins anew. */
  async #handle(batch: readonly Delivery[]): Promise<void> {
    await insist(
      async () => {
        try {
          await this.#handleOnce(batch);
        } catch (error) {
          for (const { message } of batch) this.#parts.cache.drop(message.turnId);
          throw error;
        }
      },
      (error) =>
        this.#parts.log.error(
          { reason: error.message, messages: batch.length },
          'a batch failed; trying again',
        ),
    );
  }

  async #handleOnce(batch: readonly Delivery[]): Promise<void> {
    let waiting = groupByTurn(batch);
    // A turn that somebody else changed meanwhile is read anew and goes once more.
    for (let round = 1; waiting.size > 0; round++) {
      if (round > MOST_ROUNDS)
        throw new Error(`turns change under our hands: ${[...waiting.keys()].join(', ')}`);
      const steps: TurnStep[] = [];
      const repeats: TurnId[] = [];
      const again = new Set<TurnId>();
      for (const [turnId, { live, wasRead, messages, redelivered }] of await this.#liveTurns(waiting)) {
        const step = live === null ? null : await this.#step(live, messages);
        if (step === null) continue;
        if (step.sawRepeat && !wasRead) {
          // Nobody waits for the result, as far as we remember: only Redis knows.
          this.#parts.cache.drop(turnId);
          again.add(turnId);
          continue;
        }
        steps.push(step);
        // What followed from an earlier commit may never have been done: by us before a crash, or by whoever came first.
        if (round > 1 || (step.sawRepeat && redelivered)) repeats.push(turnId);
      }
      const committed = await this.#commit(steps);
      await this.#follow(committed);
      await Promise.all(repeats.map((turnId) => this.resume(turnId)));
      for (const step of steps) if (!committed.includes(step)) again.add(step.turnId);
      waiting = new Map([...waiting].filter(([turnId]) => again.has(turnId)));
    }
    await this.#parts.consumer.acknowledge(batch);
  }

  /** Hands a turn its messages. A machine that fails on them ends the turn: they would fail again for ever. */
  async #step(live: LiveTurn, messages: readonly TurnMessage[]): Promise<TurnStep | null> {
    try {
      const step = new TurnStep(live, this.#parts.route);
      for (const message of messages) step.apply(message, this.#parts.now());
      return step;
    } catch (error) {
      const turnId = live.turn.id;
      this.#parts.cache.drop(turnId);
      await this.#refuse(
        { turnId, version: live.version, lineage: live.lineage },
        'failed',
        this.#blame(turnId, error),
      );
      return null;
    }
  }

  /** What an error that stops a turn is called. */
  #blame(turnId: TurnId, error: unknown): StepError {
    if (SkillyardError.is(error)) return { code: error.code, message: error.message };
    this.#parts.log.error({ turnId, err: error }, 'a bug ends a turn');
    return { code: 'STEP_FAILED', message: `the turn met a bug of ours: ${reasonOf(error)}` };
  }

  async #liveTurns(groups: ReadonlyMap<TurnId, Group>): Promise<Map<TurnId, Group & Loaded>> {
    const loaded = await Promise.all(
      [...groups].map(async ([turnId, group]): Promise<[TurnId, Group & Loaded]> => {
        const cached = this.#parts.cache.get(turnId);
        if (cached !== undefined) return [turnId, { ...group, live: cached, wasRead: false }];
        return [turnId, { ...group, live: await this.#load(turnId, group), wasRead: true }];
      }),
    );
    return new Map(loaded);
  }

  /** Reads a turn from Redis; null when it is not live, which is seen to here. */
  async #load(turnId: TurnId, { messages }: Group): Promise<LiveTurn | null> {
    const { store, cache } = this.#parts;
    const stored = await store.read(turnId);
    if (stored === null) return null;
    if (stored.view.status === 'queued') {
      await this.#cancelUnstarted(stored, messages);
      return null;
    }
    if (hasEnded(stored.view.status)) {
      await this.#announce(turnId, stored.lineage, stored.view.outcome);
      return null;
    }
    const { lineage, version } = stored;
    const { records, pending } = await store.load(turnId);
    const ready = await this.#whenReady(turnId, stored.skill, stored.file, (program) =>
      loadTurn(program, records),
    );
    if (!ready.ok) {
      await this.#refuse({ turnId, version, lineage }, 'failed', ready.error);
      return null;
    }
    const jobs = new Map(pending.map((envelope) => [envelope.job.id, pendingJob(envelope)]));
    const live = { turn: ready.value, lineage, version, pending: jobs };
    cache.put(live);
    return live;
  }

  /** Does something with a turn's program. An error of the skill or of the machine is the turn's; others are thrown. */
  async #whenReady<T>(
    turnId: TurnId,
    skill: string,
    file: string,
    work: (program: Program) => T,
  ): Promise<Tried<T>> {
    let program: Program;
    try {
      program = await this.#parts.programs.get(skill, file);
    } catch (error) {
      if (!SkillyardError.is(error) || error.kind === 'retryable') throw error;
      return { ok: false, error: this.#blame(turnId, error) };
    }
    try {
      return { ok: true, value: work(program) };
    } catch (error) {
      return { ok: false, error: this.#blame(turnId, error) };
    }
  }

  async #cancelUnstarted(stored: StoredTurn, messages: readonly TurnMessage[]): Promise<void> {
    const cancel = messages.find((message) => message.type === 'cancel');
    if (cancel?.type !== 'cancel') return;
    const { version, lineage } = stored;
    await this.#refuse({ turnId: stored.view.turnId, version, lineage }, 'cancelled', cancel.reason);
  }

  /** @returns the steps that are committed; the turns of the others are dropped from memory */
  async #commit(steps: readonly TurnStep[]): Promise<TurnStep[]> {
    const { store, cache, now } = this.#parts;
    const changed = steps.map((step) => ({ step, changes: step.changes() }));
    const toCommit = changed.flatMap(({ step, changes }) => (changes === null ? [] : [{ step, changes }]));
    const versions = await store.commit(
      toCommit.map(({ changes }) => changes),
      now(),
    );
    const committed = changed.filter(({ changes }) => changes === null).map(({ step }) => step);
    for (const [index, { step }] of toCommit.entries()) {
      const version = versions[index] ?? null;
      if (version === null || step.outcome !== null) cache.drop(step.turnId);
      if (version === null) continue;
      step.live.version = version;
      if (step.outcome === null) cache.put(step.live);
      committed.push(step);
    }
    return committed;
  }

  /** Does what follows from committed steps. */
  async #follow(steps: readonly TurnStep[]): Promise<void> {
    const { dispatcher, turns, log, now } = this.#parts;
    const lineages = new Map(steps.map(({ live }) => [live.turn.id, live.lineage]));
    const lineageOf = (turnId: TurnId): Lineage =>
      lineages.get(turnId) ?? { parent: null, depth: 0, root: turnId };
    await dispatcher.dispatch(
      steps.flatMap(({ asked }) => asked),
      lineageOf,
    );
    await dispatcher.withdraw(steps.flatMap(({ dropped }) => dropped));
    for (const { live, outcome, turnId } of steps) {
      if (outcome === null) continue;
      const { status, usage, error } = outcome;
      const ms = now() - live.turn.header.startedAtMs;
      log.info({ turnId, status, ms, ...usage, ...(error && { code: error.code }) }, 'turn ended');
      await this.#announce(turnId, live.lineage, outcome);
      if (turnDeadlineMs(live.turn) !== null) await turns.clearDeadline(turnId);
    }
  }

  /** Makes the end of a turn known to whoever waits for it. May be repeated. */
  async #announce(turnId: TurnId, { parent }: Lineage, outcome: TurnOutcome | null): Promise<void> {
    const { delegates, store } = this.#parts;
    if (parent !== null) await delegates.end(parent, outcome);
    await store.forgetLive([turnId]);
  }

  /** Ends a turn that cannot run. */
  async #refuse(
    { turnId, version, lineage }: { turnId: TurnId; version: number; lineage: Lineage },
    status: 'failed' | 'cancelled',
    error: StepError,
  ): Promise<void> {
    const { store, log, now } = this.#parts;
    const changes = endedWithoutRunning(turnId, version, { status, error }, now());
    const [committed] = await store.commit([changes], now());
    if (committed === null) return void (await this.resume(turnId));
    log.info({ turnId, status, code: error.code }, 'turn ended without running');
    await this.#announce(turnId, lineage, changes.outcome);
  }
}

/** The messages of one turn in a batch. */
interface Group {
  readonly messages: TurnMessage[];
  readonly redelivered: boolean;
}

interface Loaded {
  readonly live: LiveTurn | null;
  /** Whether it was read from Redis for this batch. */
  readonly wasRead: boolean;
}

type Tried<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: StepError };

function groupByTurn(batch: readonly Delivery[]): Map<TurnId, Group> {
  const groups = new Map<TurnId, Group>();
  for (const { message, redelivered } of batch) {
    const group = groups.get(message.turnId);
    if (group === undefined) groups.set(message.turnId, { messages: [message], redelivered });
    else
      groups.set(message.turnId, {
        messages: [...group.messages, message],
        redelivered: group.redelivered || redelivered,
      });
  }
  return groups;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
