import type { ProgramRequest, ProgramRequirement, RequestKind, TerminalStatus } from '@skillyard/contracts';
import { requestDigest, textDigest } from '../protocol/digest.ts';
import type { RecordedEntry, RecordedJournal } from './recorded-journal.ts';

/** An operation as it goes out. A schema that is undefined is not there, and null is one. */
export interface Operation {
  readonly id: string;
  readonly kind: RequestKind;
  readonly payload: unknown;
  readonly output_schema?: unknown;
}

/** Ends a run of a program where it stands. */
class Stop extends Error {
  constructor() {
    super('this run of the program ends here; let this exception pass');
    this.name = 'Stop';
  }
}

/**
 * One run of a program over a journal. What it comes to is decided once: a program that catches the exception which ends
 * it gets it again from whatever it does next, and changes nothing.
 */
export class Replay {
  readonly #journal: RecordedJournal;
  readonly #requirements: ProgramRequirement[] = [];
  #sequence = 0;
  #output: string | null = null;

  constructor(journal: RecordedJournal) {
    this.#journal = journal;
  }

  get input(): unknown {
    return this.#journal.input;
  }

  /** What this run came to, as it is printed; null: the program is still running. */
  get output(): string | null {
    return this.#output;
  }

  /** The recorded result of the next operation. Ends the run when there is none, or when another operation was recorded. */
  answerTo(operation: Operation): unknown {
    this.#stopWhenDecided();
    const { run_id, skill, entries } = this.#journal;
    const recorded = entries?.[this.#sequence];
    const sequence = ++this.#sequence;
    if (recorded === undefined) {
      const envelope = { protocol: 'yield.v1', run_id, skill, sequence, request: operation };
      this.#stop({ type: 'request', envelope, requirements: this.#requirements });
    }
    const expected = digestOf(recorded.request);
    const got = digestOf(operation);
    if (expected !== got) {
      const detail = `replay produced operation ${named(operation)} where the journal recorded ${named(recorded.request)}`;
      const divergence = { sequence, expected_digest: expected, got_digest: got, detail };
      this.#stop({ type: 'diverged', divergence });
    }
    return recorded.response.result;
  }

  require(ok: boolean, claim: string, evidence: unknown): void {
    this.#stopWhenDecided();
    const text = JSON.stringify(evidence) as string | undefined;
    const digest = text === undefined ? {} : { evidence_digest: textDigest(text) };
    this.#requirements.push({ claim, passed: ok, ...digest });
    if (!ok) this.end({ status: 'requirement_failed', reason: claim });
  }

  /** Ends the run in this way. */
  end(terminal: {
    readonly status: TerminalStatus;
    readonly result?: unknown;
    readonly reason?: string;
  }): never {
    this.#stopWhenDecided();
    this.#stop({ type: 'terminal', terminal, requirements: this.#requirements });
  }

  #stopWhenDecided(): void {
    if (this.#output !== null) throw new Stop();
  }

  #stop(output: Readonly<Record<string, unknown>>): never {
    this.#output = JSON.stringify(output);
    throw new Stop();
  }
}

/** The rule of this SDK: the digest is over what JSON.stringify makes of both, the operation and its recorded request. */
function digestOf({ id, kind, payload, output_schema }: Operation | RecordedEntry['request']): string {
  return requestDigest({
    id,
    kind: kind as RequestKind,
    payload: textOf(payload) ?? '',
    outputSchema: textOf(output_schema),
  });
}

function textOf(value: unknown): string | null {
  return JSON.stringify(value) ?? null;
}

function named({ id, kind }: Pick<ProgramRequest, 'id'> & { readonly kind: string }): string {
  return `"${id}" (${kind})`;
}
