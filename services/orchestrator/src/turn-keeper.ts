/**
 * Live turns between memory, the machine and Redis.
 *
 * O2 What is in memory is equal to what is in Redis, or is dropped: after a refused commit, after any failure, and when
 *    a result comes that it knows nothing of.
 * O3 An error of a skill or of the machine ends its turn; it would come again for ever. Any other error is thrown, and
 *    whoever called tries again.
 */
import {
  SkillyardError,
  type StepError,
  type StepResult,
  type TurnId,
  type TurnOrigin,
  type TurnOutcome,
  type TurnRadius,
} from '@skillyard/contracts';
import { loadTurn, type Program, startTurn, turnDeadlineMs, type TurnSettings } from '@skillyard/engine';
import type { TracedTurn, Telemetry } from '@skillyard/telemetry';
import {
  hasEnded,
  type Lineage,
  type OnTransition,
  type StoredTurn,
  type TurnInput,
  type TurnMessage,
  type TurnStore,
} from '@skillyard/queue';
import type { Delegates } from './delegates.ts';
import { endedWithoutRunning } from './ended-without-running.ts';
import { type LiveTurn, pendingJob, type TurnCache } from './live-turn.ts';
import type { Logger } from './logger.ts';
import type { Programs } from './programs.ts';
import { tracedStoredTurn, tracedTurn } from './traced-turn.ts';
import { type Route, TurnStep } from './turn-step.ts';

export interface TurnKeeperParts {
  readonly store: TurnStore;
  readonly cache: TurnCache;
  readonly programs: Programs;
  readonly delegates: Delegates;
  readonly route: Route;
  /** What is decided about a turn that starts now; a submission may differ. */
  readonly settings: () => Promise<TurnSettings>;
  /** What the sources of the skill of a turn that starts now come to. */
  readonly radius: (program: Program, tenant: string) => Promise<TurnRadius | undefined>;
  /** Has somebody outside told of the end of a turn. */
  readonly noteEnd: (turnId: TurnId) => Promise<void>;
  /** Told of turns that end without their machine. */
  readonly telemetry?: Telemetry | undefined;
  readonly log: Logger;
  readonly now: () => number;
  readonly onTransition?: OnTransition | undefined;
}

/** What messages did to a turn. `over`: it needs nothing more. `again`: it changed meanwhile, and they are not applied. */
export type Applied = TurnStep | 'over' | 'again';

/** A turn that has ended, or is about to. */
export interface EndingTurn {
  readonly turnId: TurnId;
  readonly lineage: Lineage;
  readonly origin: TurnOrigin;
}

/** A turn whose end is known before its machine could say so. */
type EndedOutside = EndingTurn & Pick<StoredTurn, 'version'> & { readonly traced: TracedTurn };

type Tried<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: StepError };

export class TurnKeeper {
  readonly #parts: TurnKeeperParts;

  constructor(parts: TurnKeeperParts) {
    this.#parts = parts;
  }

  /** Runs a submitted turn up to its first jobs, which is still to be committed. A turn that cannot run is ended. */
  async #begin(turnId: TurnId, stored: StoredTurn, input: TurnInput): Promise<Applied> {
    const { settings, radius: resolve, route, now, onTransition } = this.#parts;
    await onTransition?.('start.before');
    const { lineage, view } = stored;
    const { origin } = view;
    const { vars } = input;
    const decided = { ...(await settings()), ...input.settings };
    const begun = await this.#withProgram(turnId, stored, async (program) => {
      const radius = program.sources === null ? undefined : await resolve(program, origin.tenant);
      const start = { turnId, vars, settings: decided, ...(radius && { radius }) };
      const { turn, advance } = startTurn(program, start, now());
      const step = new TurnStep({ turn, lineage, origin, version: 0, pending: new Map() }, route);
      step.take(advance);
      return step;
    });
    return begun.ok ? begun.value : this.#end(endedOutside(stored), 'failed', begun.error);
  }

  /** Hands messages to a turn. What they did is still to be committed. */
  async apply(turnId: TurnId, messages: readonly TurnMessage[]): Promise<Applied> {
    const { cache, store } = this.#parts;
    const cached = cache.get(turnId);
    if (cached !== undefined) return this.#applyTo(cached, messages, 'cached');
    const stored = await store.read(turnId);
    if (stored === null) return 'over';
    if (stored.input !== null) return this.#applyToQueued(stored, stored.input, messages);
    if (hasEnded(stored.view.status)) {
      if (stored.endedBy !== null) await store.keepLate(turnId, resultsOf(messages));
      await this.announce(
        { turnId, lineage: stored.lineage, origin: stored.view.origin },
        stored.view.outcome,
      );
      return 'over';
    }
    const live = await this.#load(stored);
    return typeof live === 'string' ? live : this.#applyTo(live, messages, 'read');
  }

  async #applyTo(
    live: LiveTurn,
    messages: readonly TurnMessage[],
    origin: 'cached' | 'read',
  ): Promise<Applied> {
    const { cache, route, now } = this.#parts;
    const turnId = live.turn.id;
    try {
      const step = new TurnStep(live, route);
      for (const message of messages) step.apply(message, now());
      if (!step.sawRepeat || origin === 'read') return step;
      // Nobody waits for the result, as far as we remember: only Redis knows.
      cache.drop(turnId);
      return 'again';
    } catch (error) {
      cache.drop(turnId);
      return this.#end(
        {
          turnId,
          version: live.version,
          lineage: live.lineage,
          origin: live.origin,
          traced: tracedTurn(live),
        },
        'failed',
        this.#blame(turnId, error),
      );
    }
  }

  /** @returns the steps that are committed; the turns of the others are dropped from memory */
  async commit(steps: readonly TurnStep[]): Promise<TurnStep[]> {
    const { store, cache, now, onTransition } = this.#parts;
    const committed: TurnStep[] = [];
    const toCommit = [];
    for (const step of steps) {
      const changes = step.changes();
      if (changes === null) committed.push(step);
      else toCommit.push({ step, changes });
    }
    if (toCommit.length > 0) await onTransition?.('commit.before');
    const versions = await store.commit(
      toCommit.map(({ changes }) => changes),
      now(),
    );
    if (toCommit.length > 0) await onTransition?.('commit.after');
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

  /** When a turn must have ended; null when it need not. */
  async deadlineMs(turnId: TurnId): Promise<number | null> {
    const { cache, store } = this.#parts;
    const cached = cache.get(turnId);
    if (cached !== undefined) return turnDeadlineMs(cached.turn);
    const stored = await store.read(turnId);
    if (stored?.view.status !== 'running') return null;
    const live = await this.#load(stored);
    return typeof live === 'string' ? null : turnDeadlineMs(live.turn);
  }

  /** Forgets what is in memory of a turn. */
  drop(turnId: TurnId): void {
    this.#parts.cache.drop(turnId);
  }

  /** Makes the end of a turn known to whoever waits for it. May be repeated. */
  async announce({ turnId, lineage, origin }: EndingTurn, outcome: TurnOutcome | null): Promise<void> {
    const { delegates, store, noteEnd, now, onTransition } = this.#parts;
    const { parent } = lineage;
    await onTransition?.('announce.before');
    if (parent !== null) await delegates.end(parent, outcome);
    if (origin.webhook !== undefined) await noteEnd(turnId);
    await onTransition?.('announce.after');
    store.noteEnd({ turnId, tenant: parent === null ? origin.tenant : null, endedAtMs: now() });
  }

  async #load(stored: StoredTurn): Promise<LiveTurn | 'over' | 'again'> {
    const { store, cache } = this.#parts;
    const { version, lineage } = stored;
    const { turnId, origin } = stored.view;
    const { records, pending } = await store.load(turnId);
    const loaded = await this.#withProgram(turnId, stored, (program) => loadTurn(program, records));
    if (!loaded.ok) return this.#end(endedOutside(stored), 'failed', loaded.error);
    const jobs = new Map(pending.map((envelope) => [envelope.job.id, pendingJob(envelope)]));
    const live = { turn: loaded.value, lineage, origin, version, pending: jobs };
    cache.put(live);
    return live;
  }

  /** A turn that has not started can be started or cancelled: it waits for nothing. */
  async #applyToQueued(
    stored: StoredTurn,
    input: TurnInput,
    messages: readonly TurnMessage[],
  ): Promise<Applied> {
    const { turnId } = stored.view;
    const cancel = messages.find((message) => message.type === 'cancel');
    if (cancel?.type === 'cancel') return this.#end(endedOutside(stored), 'cancelled', cancel.reason);
    if (!messages.some(({ type }) => type === 'start')) return 'over';
    try {
      return await this.#begin(turnId, stored, input);
    } catch (error) {
      // It must not keep others waiting: the sweep comes back to it (Q8).
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.log.error({ turnId, reason }, 'a turn cannot be started; trying again later');
      return 'over';
    }
  }

  /** Ends a turn without its machine. */
  async #end(
    turn: EndedOutside,
    status: 'failed' | 'cancelled',
    error: StepError,
  ): Promise<'over' | 'again'> {
    const { store, telemetry, log, now } = this.#parts;
    const { turnId, version, traced } = turn;
    const changes = endedWithoutRunning(turnId, version, { status, error }, now());
    const [committed = null] = await store.commit([changes], now());
    if (committed === null) return 'again';
    telemetry?.turnCommitted(traced, { ...changes, dropped: [] });
    const fields = telemetry?.turnFields(traced);
    log.info({ turnId, ...fields, status, code: error.code }, 'turn ended without running');
    await this.announce(turn, changes.outcome);
    return 'over';
  }

  /** Does something with the program of a turn. */
  async #withProgram<T>(
    turnId: TurnId,
    { skill, file, mode }: StoredTurn,
    work: (program: Program) => T | Promise<T>,
  ): Promise<Tried<T>> {
    let program: Program;
    try {
      program = await this.#parts.programs.get(skill, file, mode);
    } catch (error) {
      if (!SkillyardError.is(error) || error.kind === 'retryable') throw error;
      return { ok: false, error: this.#blame(turnId, error) };
    }
    try {
      return { ok: true, value: await work(program) };
    } catch (error) {
      return { ok: false, error: this.#blame(turnId, error) };
    }
  }

  /** What an error that ends a turn is called. */
  #blame(turnId: TurnId, error: unknown): StepError {
    if (SkillyardError.is(error)) return { code: error.code, message: error.message };
    this.#parts.log.error({ turnId, err: error }, 'a bug ends a turn');
    const reason = error instanceof Error ? error.message : String(error);
    return { code: 'STEP_FAILED', message: `the turn met a bug of ours: ${reason}` };
  }
}

function endedOutside(stored: StoredTurn): EndedOutside {
  const { version, lineage, view } = stored;
  return { turnId: view.turnId, version, lineage, origin: view.origin, traced: tracedStoredTurn(stored) };
}

function resultsOf(messages: readonly TurnMessage[]): StepResult[] {
  return messages.flatMap((message) => (message.type === 'result' ? [message.result] : []));
}
