/**
 * A live turn: its program and its state records, with the bookkeeping of what was touched.
 *
 * T1 Records are changed in place by the machine alone, and every change is followed by `touch` or `remove`.
 * T2 What `takeChanges` returns, applied to what was stored before, is exactly what `saveTurn` would store.
 * T3 A turn loaded from saved records behaves like the one that was saved.
 */
import type { JobId, TurnId, TurnUsage } from '@skillyard/contracts';
import type { Program } from './program.ts';
import type {
  AssetRecord,
  ForkRecord,
  InputRecord,
  ItemRecord,
  LoopRecord,
  ScopeRecord,
  StateRecord,
  TurnHeader,
  UsageRecord,
} from './records.ts';

/** What a driver has to store after an event: whole records to write, keys to delete. */
export interface Changes {
  readonly written: readonly StateRecord[];
  readonly removed: readonly string[];
}

/** Where the answer to a job goes: the key of a scope or of an asset. */
type Receiver = string;

export class Turn {
  readonly program: Program;
  readonly header: TurnHeader;
  readonly input: InputRecord;
  readonly usage: UsageRecord;
  readonly #records = new Map<string, StateRecord>();
  readonly #waiting = new Map<JobId, Receiver>();
  readonly #touched = new Set<StateRecord>();
  readonly #removed = new Set<string>();
  #isTracked = true;

  constructor(program: Program, header: TurnHeader, input: InputRecord, usage: UsageRecord = unused()) {
    this.program = program;
    this.header = header;
    this.input = input;
    this.usage = usage;
    this.add(header);
    this.add(input);
    this.add(usage);
  }

  get id(): TurnId {
    return this.header.id;
  }

  scope(path: string): ScopeRecord | undefined {
    return this.#records.get(scopeKey(path)) as ScopeRecord | undefined;
  }

  fork(key: string): ForkRecord | undefined {
    return this.#records.get(key) as ForkRecord | undefined;
  }

  loop(path: string): LoopRecord | undefined {
    return this.#records.get(loopKey(path)) as LoopRecord | undefined;
  }

  item(path: string): ItemRecord | undefined {
    return this.#records.get(itemKey(path)) as ItemRecord | undefined;
  }

  asset(key: string): AssetRecord | undefined {
    return this.#records.get(key) as AssetRecord | undefined;
  }

  /** Adds a new record. */
  add(record: StateRecord): void {
    this.#records.set(record.key, record);
    if (!this.#isTracked) return;
    this.#removed.delete(record.key);
    this.#touched.add(record);
  }

  /** Notes that a record was changed. */
  touch(record: StateRecord): void {
    if (this.#isTracked) this.#touched.add(record);
  }

  remove(key: string): void {
    const record = this.#records.get(key);
    if (record === undefined) return;
    this.#records.delete(key);
    if (!this.#isTracked) return;
    this.#touched.delete(record);
    this.#removed.add(key);
  }

  /** Adds to what the turn has spent. */
  spend(what: keyof TurnUsage, count: number): void {
    this.usage[what] += count;
    this.touch(this.usage);
  }

  /** Notes who waits for a job. */
  await(job: JobId, receiver: Receiver): void {
    this.#waiting.set(job, receiver);
  }

  /** Who waits for a job, if anybody still does. Asking twice gives nothing: a result is applied once. */
  takeReceiver(job: JobId): StateRecord | undefined {
    const receiver = this.#waiting.get(job);
    if (receiver === undefined) return undefined;
    this.#waiting.delete(job);
    return this.#records.get(receiver);
  }

  /** Nobody waits for this job any longer. Assets belong to the turn and are waited for until it ends. */
  forget(job: JobId): boolean {
    return !isAssetJob(job) && this.#waiting.delete(job);
  }

  /** The jobs whose results would still be applied. */
  pending(): JobId[] {
    return [...this.#waiting.keys()];
  }

  /** The scopes below a path, the path itself included. */
  scopesBelow(path: string): ScopeRecord[] {
    return this.#below('scope:', path) as ScopeRecord[];
  }

  /** Removes every record that belongs to a step or scope at or below a path. */
  removeBelow(path: string): void {
    for (const prefix of ['scope:', 'fork:', 'loop:', 'item:']) {
      for (const record of this.#below(prefix, path)) this.remove(record.key);
    }
  }

  #below(prefix: string, path: string): StateRecord[] {
    const found: StateRecord[] = [];
    for (const [key, record] of this.#records) {
      if (!key.startsWith(prefix)) continue;
      const rest = key.slice(prefix.length);
      if (path === '' || rest === path || rest.startsWith(`${path}.`)) found.push(record);
    }
    return found;
  }

  /** The turn is over: only its header stays. */
  end(): void {
    for (const key of this.#records.keys()) {
      if (key !== 'turn') this.remove(key);
    }
    this.#waiting.clear();
    this.header.ended = true;
    this.touch(this.header);
  }

  /** For a driver that stores nothing: changes are no longer noted, so a long turn does not gather them. */
  stopTracking(): void {
    this.takeChanges();
    this.#isTracked = false;
  }

  /** What was touched since the last call. */
  takeChanges(): Changes {
    const changes = { written: [...this.#touched], removed: [...this.#removed] };
    this.#touched.clear();
    this.#removed.clear();
    return changes;
  }

  /** All records, sorted by key. */
  save(): StateRecord[] {
    return [...this.#records.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
}

/**
 * Rebuilds a turn from its stored records.
 * @param records in any order, as parsed from JSON
 * @throws RangeError if the header or the input record is missing
 */
export function loadTurn(program: Program, records: Iterable<StateRecord>): Turn {
  const all = [...records];
  const header = all.find((record) => record.key === 'turn') as TurnHeader | undefined;
  const input = all.find((record) => record.key === 'input') as InputRecord | undefined;
  if (!header || (!input && !header.ended))
    throw new RangeError('not the records of a turn: its header or input is missing');
  const usage = all.find((record) => record.key === 'usage') as UsageRecord | undefined;
  const turn = new Turn(program, header, { key: 'input', vars: dictionary(input?.vars) }, usage);
  if (!input) turn.remove('input');
  if (!usage) turn.remove('usage');
  for (const record of all) {
    if (record === header || record === input || record === usage) continue;
    turn.add(revive(record));
    if (record.key.startsWith('scope:')) {
      for (const job of (record as ScopeRecord).open) {
        if (!isAssetJob(job)) turn.await(job, record.key);
      }
    } else if (record.key.startsWith('asset:') && !(record as AssetRecord).ready) {
      turn.await((record as AssetRecord).jobId, record.key);
    }
  }
  turn.takeChanges();
  return turn;
}

function unused(): UsageRecord {
  return { key: 'usage', generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 };
}

/** Variables live in objects without a prototype, so that no name has a meaning of its own. */
export function dictionary<T>(values: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, values);
}

function revive(record: StateRecord): StateRecord {
  if ('frames' in record) {
    const { vars, needs } = record;
    const frames = record.frames.map((frame) =>
      frame.kind === 'code' ? { ...frame, generations: dictionary(frame.generations) } : frame,
    );
    return { ...record, frames, vars: dictionary(vars), needs: needs && dictionary(needs) };
  }
  if ('writes' in record && record.writes !== null) {
    return { ...record, writes: { ...record.writes, vars: dictionary(record.writes.vars) } };
  }
  return record;
}

export const scopeKey = (path: string): string => `scope:${path}`;
export const forkKey = (path: string): string => `fork:${path}`;
export const loopKey = (path: string): string => `loop:${path}`;
export const itemKey = (path: string): string => `item:${path}`;
/** Whether a scope's open job is an asset: those are answered through the asset's own record. */
function isAssetJob(job: JobId): boolean {
  return job.charAt(job.indexOf('.') + 1) === 'a';
}
