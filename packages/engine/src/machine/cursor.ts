/**
 * Where the machine stands while it handles one event: the turn, the scope and step it works on, and what it has asked
 * for so far. It is the environment that flow functions read from, and the only way in which steps change a turn.
 *
 * C1 A step is evaluated purely first; it writes, asks for jobs or emits its row only after `suspended` said false.
 */
import {
  type JobId,
  type LoopPlan,
  SkillyardError,
  type StepJob,
  type StepOutcome,
  type TokenUsage,
  type TraceEvent,
  type TurnOutcome,
} from '@skillyard/contracts';
import type { Environment, MemoryAnswer } from '../flow/environment.ts';
import { type AssetRequest, requestAsset } from './asset-request.ts';
import type { AssetCode, Program, StepCode } from './program.ts';
import { radiusRefusal } from './radius.ts';
import type { Failure, ScopeRecord, StepState } from './records.ts';
import { dictionary, type Turn } from './turn.ts';

/** What the machine answers to an event. */
export interface Advance {
  readonly jobs: StepJob[];
  /** Jobs asked for earlier whose results no longer matter. */
  readonly dropped: JobId[];
  readonly events: TraceEvent[];
  outcome?: TurnOutcome;
  /** A failure in this event ends the turn, now or when what runs beside it has ended ({@link isFatal}). */
  fatal?: true;
}

/** What a row of the trace says. */
interface Row {
  readonly outcome: StepOutcome;
  readonly reason: string;
  readonly calls: number;
  readonly callsFailed?: number;
  readonly startedAtMs?: number;
  readonly state?: StepState | null;
  readonly loop?: LoopPlan;
}

export class Cursor implements Environment {
  readonly turn: Turn;
  readonly nowMs: number;
  readonly advance: Advance = { jobs: [], dropped: [], events: [] };
  /** Scopes to go on with, first come first served. */
  readonly ready: ScopeRecord[] = [];
  scope!: ScopeRecord;
  step!: StepCode;
  path = '';
  /** Why a value that was held by handle can no longer be read, or an asset is not what it should be. */
  gone = '';
  readonly #memoryNeeds: { handle: string; at: string }[] = [];
  readonly #assetNeeds: AssetRequest[] = [];
  /** What assets were asked for with in this evaluation; undefined while their args need something. */
  readonly #requests = new Map<string, AssetRequest | undefined>();

  constructor(turn: Turn, nowMs: number) {
    this.turn = turn;
    this.nowMs = nowMs;
  }

  get program(): Program {
    return this.turn.program;
  }

  get vocabulary(): Environment['vocabulary'] {
    return this.turn.header.settings.vocabulary;
  }

  /** Where the current step stands: its list and its index in it. */
  position(): { list: number; index: number } {
    const frame = this.scope.frames.at(-1);
    if (frame?.kind !== 'list') throw new RangeError('no step is under way');
    return { list: frame.list, index: frame.index };
  }

  /** An evaluation begins: what the last one found is void. */
  begin(): void {
    this.gone = '';
    this.#requests.clear();
  }

  // ── reading ──────────────────────────────────────────────────────────

  variable(name: string): string | undefined {
    let scope = this.scope;
    for (;;) {
      const value = scope.vars[name];
      if (value !== undefined) return value ?? undefined;
      if (scope.parent === null) return this.turn.input.vars[name];
      scope = this.turn.scope(scope.parent) as ScopeRecord;
    }
  }

  /**
   * @throws SkillyardError ASSET_UNAVAILABLE when the content could not be had and its policy is `fail`, RADIUS_REFUSED
   *   when it would come from a server outside the radius, and what an argument of a call may fail with
   */
  asset(name: string): string | undefined {
    const code = this.program.assets.get(name);
    if (code === undefined) return '';
    const refusal = code.server === null ? undefined : radiusRefusal(this.turn, code.server, code.tool);
    if (refusal !== undefined) throw new SkillyardError('RADIUS_REFUSED', `asset "${name}": ${refusal}`);
    const request = this.#requestAsset(name, code);
    if (request === undefined) return undefined;
    const record = this.turn.asset(request.key);
    if (record === undefined || !record.ready) {
      this.#assetNeeds.push(request);
      return undefined;
    }
    if (record.error !== null) throw new SkillyardError('ASSET_UNAVAILABLE', record.error.message);
    if (record.note !== '') this.gone = record.note;
    return record.text;
  }

  /**
   * Once in an evaluation: a text of 1 MiB may name one asset 80,000 times, and its args may be as long.
   * @returns undefined when its args need a value that is not there yet
   */
  #requestAsset(name: string, code: AssetCode): AssetRequest | undefined {
    if (this.#requests.has(name)) return this.#requests.get(name);
    const needs = this.#memoryNeeds.length;
    const request = requestAsset(this.turn.id, name, code, this);
    const isComplete = this.#memoryNeeds.length === needs;
    this.#requests.set(name, isComplete ? request : undefined);
    if (!isComplete) return undefined;
    if (request.unreachable !== '')
      this.gone = `the whole value of "${request.unreachable}" could not be read: asset "${name}" was asked for with a fragment`;
    return request;
  }

  memory(handle: string, at: string): MemoryAnswer | undefined {
    const answer = this.scope.needs?.[needKey(handle, at)];
    if (answer === undefined) {
      this.#memoryNeeds.push({ handle, at });
    } else if (!answer.found && answer.gone !== undefined) {
      this.gone = answer.gone;
    }
    return answer;
  }

  /** Whether the evaluation so far met a value that is not there yet. */
  get wanting(): boolean {
    return this.#memoryNeeds.length > 0 || this.#assetNeeds.length > 0;
  }

  /**
   * Asks for every value the evaluation missed.
   * @returns true if there was one: what was evaluated is void, and the step is evaluated anew when all are there
   */
  suspended(): boolean {
    if (!this.wanting) return false;
    for (const request of this.#assetNeeds.splice(0)) this.#askAsset(request);
    for (const { handle, at } of this.#memoryNeeds.splice(0)) this.#askMemory(handle, at);
    this.turn.touch(this.scope);
    return true;
  }

  #askAsset({ key, jobId: id, name, source }: AssetRequest): void {
    if (this.scope.open.includes(id)) return;
    this.scope.open.push(id);
    const known = this.turn.asset(key);
    if (known !== undefined) {
      known.waiters.push(this.scope.path);
      this.turn.touch(known);
      return;
    }
    const waiters = [this.scope.path];
    this.turn.add({ key, name, jobId: id, ready: false, text: '', error: null, note: '', waiters });
    this.turn.await(id, key);
    const { path, step, turn } = this;
    this.advance.jobs.push({
      id,
      turnId: turn.id,
      path,
      step: step.name,
      kind: 'asset',
      name,
      asset: source,
    });
  }

  #askMemory(handle: string, at: string): void {
    const scope = this.scope;
    const key = needKey(handle, at);
    scope.asking ??= dictionary();
    if (Object.values(scope.asking).includes(key)) return;
    const prefix = scope.path === '' ? '' : `${scope.path}.`;
    const id = `${this.turn.id}.${prefix}m${scope.asked++}` as JobId;
    scope.asking[id] = key;
    scope.open.push(id);
    this.turn.await(id, scope.key);
    const { path, step, turn } = this;
    const notes = this.vocabulary.truncationNotes;
    this.advance.jobs.push({ id, turnId: turn.id, path, step: step.name, kind: 'memory', handle, at, notes });
  }

  // ── jobs ─────────────────────────────────────────────────────────────

  /** The id of a job of the current step. */
  jobId(suffix: string): JobId {
    return `${this.turn.id}.${this.path}.${suffix}` as JobId;
  }

  /**
   * Asks for outside work and waits for its result.
   * @param job written out field by field: spreading a common part costs more than the rest of a step (measured)
   * @param timeoutMs 0 means none
   */
  ask(job: StepJob, timeoutMs = 0): void {
    if (timeoutMs > 0) job.timeoutMs = timeoutMs;
    this.scope.open.push(job.id);
    this.turn.await(job.id, this.scope.key);
    this.turn.touch(this.scope);
    this.advance.jobs.push(job);
  }

  /** Withdraws what a scope waits for. Assets stay: they belong to the turn. */
  withdraw(scope: ScopeRecord): void {
    for (const job of scope.open) {
      if (this.turn.forget(job)) this.advance.dropped.push(job);
    }
  }

  // ── the step under way ───────────────────────────────────────────────

  /** The state of the current step, made when it first has to wait. */
  state(): StepState {
    this.turn.touch(this.scope);
    return (this.scope.step ??= newStepState(this.nowMs));
  }

  /** Adds the tokens that a job used to those of the step and of the turn. */
  countTokens(used: TokenUsage | undefined): void {
    if (used === undefined) return;
    const state = this.state();
    state.inputTokens += used.inputTokens;
    state.outputTokens += used.outputTokens;
    this.turn.spend('inputTokens', used.inputTokens);
    this.turn.spend('outputTokens', used.outputTokens);
  }

  started(): void {
    this.advance.events.push({
      type: 'step.started',
      path: this.path,
      name: this.step.traceName,
      kind: this.step.kind,
      branch: this.scope.branch,
      atMs: this.nowMs,
    });
  }

  /** The row of the current step. A step that worked on a value that is gone did not simply go well. */
  row(outcome: StepOutcome, reason = '', calls = 0, callsFailed = 0): void {
    const isWorn = outcome === 'ok' && this.gone !== '';
    this.emitRow(this.step, this.path, {
      outcome: isWorn ? 'degraded' : outcome,
      reason: isWorn ? this.gone : reason,
      calls,
      callsFailed,
      state: this.scope.step,
    });
  }

  /** A row of any step of the current scope: also of loops and forks that end or are being left. */
  emitRow(step: Pick<StepCode, 'traceName' | 'kind'>, path: string, row: Row): void {
    const startedAtMs = row.startedAtMs ?? row.state?.startedAtMs ?? this.nowMs;
    const inputTokens = row.state?.inputTokens ?? 0;
    const outputTokens = row.state?.outputTokens ?? 0;
    this.advance.events.push({
      type: 'step.finished',
      path,
      name: step.traceName,
      kind: step.kind,
      branch: this.scope.branch,
      outcome: row.outcome,
      reason: row.reason,
      calls: row.calls,
      callsFailed: row.callsFailed ?? 0,
      startedAtMs,
      durationMs: this.nowMs - startedAtMs,
      ...(inputTokens + outputTokens > 0 && { usage: { inputTokens, outputTokens } }),
      ...(row.loop && { loop: row.loop }),
    });
  }

  // ── writing ──────────────────────────────────────────────────────────

  /** Writes a variable and takes away the handle that stood beside its old value (spec section 6). */
  write(name: string, value: string): void {
    const scope = this.scope;
    this.put(scope, name, value);
    if (scope.items.length > 0) {
      const at = scope.items.indexOf(name);
      if (at >= 0) scope.items.splice(at, 1);
    }
    if (this.turn.header.handles) this.#clearHandle(name);
  }

  /** Writes the handle that belongs to a variable's value. */
  writeHandle(name: string, handle: string): void {
    this.put(this.scope, `${name}.mem`, handle);
    if (!this.turn.header.handles) {
      this.turn.header.handles = true;
      this.turn.touch(this.turn.header);
    }
  }

  /** Notes that a variable holds a loop's item, until something else writes it. */
  markItem(name: string): void {
    if (!this.scope.items.includes(name)) this.scope.items.push(name);
  }

  put(scope: ScopeRecord, name: string, value: string | null): void {
    if (scope.parent !== null && !(name in scope.vars)) scope.order.push(name);
    scope.vars[name] = value;
    this.turn.touch(scope);
  }

  #clearHandle(name: string): void {
    const handle = `${name}.mem`;
    if (this.variable(handle) !== undefined) this.put(this.scope, handle, null);
  }

  /** Stores what a tolerated failure leaves behind, where the step says. */
  writeNote(variable: string, failure: Failure): void {
    if (variable !== '') this.write(variable, failureNote(failure));
  }
}

/** What a variable holds after a tolerated failure. */
function failureNote(failure: Failure): string {
  return `${failure.kind === 'denied' ? 'DENIED' : 'ERROR'}: ${failure.message}`;
}

function needKey(handle: string, at: string): string {
  return `${handle}\n${at}`;
}

function newStepState(startedAtMs: number): StepState {
  return {
    startedAtMs,
    stage: 'enter',
    attempt: 0,
    round: 0,
    calls: 0,
    callsFailed: 0,
    misses: 0,
    inputTokens: 0,
    outputTokens: 0,
    note: '',
    final: false,
    truncated: false,
    text: '',
    server: '',
    used: 0,
    requests: [],
    replies: [],
  };
}
