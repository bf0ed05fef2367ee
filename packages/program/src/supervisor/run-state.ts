import type { ProgramRequirement, ProgramSkill } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import { Fields } from '../protocol/fields.ts';
import type { EnvelopeText, JournalEntry } from '../protocol/program-output.ts';
import { readOutput } from '../protocol/read-output.ts';
import type { LogRecord } from './run-log.ts';

/** The answer to an operation, as it stands in the log. */
export interface Completion {
  readonly sequence: number;
  readonly requestId: string;
  /** A compact text. */
  readonly result: string;
  readonly resultDigest: string;
}

/** The record that has closed a run. */
export interface Ending {
  readonly type: 'run.completed' | 'run.blocked' | 'run.refused';
  /** A compact text. */
  readonly data: string;
}

/** What a run is now: folded from its log, and from nothing else. */
export class RunState {
  readonly runId: string;
  /** As the run was started: what programs find in their journal, also after their sources have changed. */
  readonly skill: ProgramSkill;
  readonly inputDigest: string;
  /** The digest of the sources that the run is bound to now. */
  boundDigest: string;
  /** The operation that waits for its answer. */
  pending: EnvelopeText | null = null;
  ending: Ending | null = null;
  readonly requirements: ProgramRequirement[] = [];
  /** A divergence that nothing has followed. */
  lastDivergence: string | null = null;
  #lastAnswered: Completion | null = null;
  readonly #requested = new Map<number, EnvelopeText>();
  readonly #completed = new Map<number, Completion>();
  /** Those of sequence 1, 2, 3... until the first gap. */
  readonly #entries: JournalEntry[] = [];

  private constructor(started: Fields) {
    this.runId = started.name('run_id');
    this.inputDigest = started.digest('input_digest');
    const skill = new Fields(started.text('skill') ?? '', 'skill', ['name', 'digest', 'version']);
    this.skill = { name: skill.name('name'), digest: skill.digest('digest') };
    this.boundDigest = this.skill.digest;
  }

  /** @throws ProgramError LOG_CORRUPT for records that make no run */
  static fold(records: readonly LogRecord[]): RunState {
    const [first, ...rest] = records;
    if (first?.type !== 'run.started')
      throw new ProgramError('LOG_CORRUPT', 'corrupt run log: it does not begin with run.started');
    const state = reading(first, () => new RunState(fieldsOf(first, ['input_digest', 'run_id', 'skill'])));
    for (const record of rest) state.apply(record);
    return state;
  }

  /** What programs are run again with. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The answer to the last operation; null: none has been answered. */
  get lastAnswered(): Completion | null {
    return this.#lastAnswered;
  }

  completionOf(sequence: number): Completion | null {
    return this.#completed.get(sequence) ?? null;
  }

  /** @throws ProgramError LOG_CORRUPT */
  apply(record: LogRecord): void {
    this.lastDivergence = null;
    reading(record, () => this.#take(record));
  }

  #take(record: LogRecord): void {
    switch (record.type) {
      case 'operation.requested':
        this.pending = envelopeIn(record.data);
        this.#requested.set(this.pending.sequence, this.pending);
        return this.#extend(this.pending.sequence);
      case 'operation.completed': {
        const completion = completionIn(record);
        this.#completed.set(completion.sequence, completion);
        this.#lastAnswered = completion;
        if (this.pending?.sequence === completion.sequence) this.pending = null;
        return this.#extend(completion.sequence);
      }
      case 'digest.migrated':
        this.boundDigest = fieldsOf(record, ['from', 'to']).digest('to');
        return;
      case 'requirement.passed':
      case 'requirement.failed':
        this.requirements.push(JSON.parse(record.data) as ProgramRequirement);
        return;
      case 'replay.diverged':
        this.lastDivergence = record.data;
        return;
      case 'run.completed':
      case 'run.blocked':
      case 'run.refused':
        this.ending = { type: record.type, data: record.data };
        return;
      default:
      // Rejections, and what later releases add, change nothing of what a run is.
    }
  }

  /** Only what a record touches is made anew, so that a step costs the same however long the run is. */
  #extend(from: number): void {
    if (from > this.#entries.length + 1) return;
    this.#entries.length = from - 1;
    for (let sequence = from; ; sequence += 1) {
      const requested = this.#requested.get(sequence);
      const completed = this.#completed.get(sequence);
      if (requested === undefined || completed === undefined) return;
      this.#entries.push({
        requestId: completed.requestId,
        request: requested.request.text,
        result: completed.result,
      });
    }
  }
}

function completionIn(record: LogRecord): Completion {
  const fields = fieldsOf(record, ['request_id', 'result', 'result_digest', 'sequence']);
  return {
    sequence: fields.integer('sequence', 1),
    requestId: fields.string('request_id'),
    result: fields.text('result') ?? 'null',
    // Not compared with the result: other supervisors of the protocol take it over the white space, too, that they were given.
    resultDigest: fields.digest('result_digest'),
  };
}

/** What was admitted once as the output of a program is admitted again. */
function envelopeIn(data: string): EnvelopeText {
  const output = readOutput(`{"type":"request","envelope":${data}}`);
  if (output.type !== 'request') throw new SyntaxError('no envelope');
  return output.envelope;
}

function fieldsOf(record: LogRecord, known: readonly string[]): Fields {
  return new Fields(record.data, record.type, known);
}

function reading<T>(record: LogRecord, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError) && !ProgramError.is(error)) throw error;
    throw new ProgramError('LOG_CORRUPT', `corrupt run log at record ${record.seq}: ${error.message}`, {
      cause: error,
    });
  }
}
