import type {
  Divergence,
  ProgramRequirement,
  ProgramSkill,
  RequestKind,
  TerminalStatus,
} from '@skillyard/contracts';

/**
 * An operation as its program printed it. Texts are compact: nothing of them is changed but the white space between tokens,
 * for only so does a program of any language find its own request again (spec: digests).
 */
export interface RequestText {
  readonly id: string;
  readonly kind: RequestKind;
  readonly payload: string;
  /** null: there is none. The text `null` is a schema. */
  readonly outputSchema: string | null;
  /** The whole request, as it stands in a journal. */
  readonly text: string;
  readonly digest: string;
}

/** A request on its way out. */
export interface EnvelopeText {
  readonly runId: string;
  readonly skill: ProgramSkill;
  readonly sequence: number;
  readonly request: RequestText;
  /** The whole envelope, compact. */
  readonly text: string;
}

/** How a program ended. `result` is a compact text; null: there is none. */
export interface TerminalText {
  readonly status: TerminalStatus;
  readonly result: string | null;
  readonly reason: string;
}

/** What one run of a program came to. */
export type ProgramOutput =
  | {
      readonly type: 'request';
      readonly envelope: EnvelopeText;
      readonly requirements: readonly ProgramRequirement[];
    }
  | {
      readonly type: 'terminal';
      readonly terminal: TerminalText;
      readonly requirements: readonly ProgramRequirement[];
    }
  | { readonly type: 'diverged'; readonly divergence: Divergence };

/** One answered operation. `request` and `result` are compact texts. */
export interface JournalEntry {
  readonly requestId: string;
  readonly request: string;
  readonly result: string;
}

/** What a program is run again with. */
export interface Journal {
  readonly runId: string;
  readonly skill: ProgramSkill;
  readonly entries: readonly JournalEntry[];
  /** The text of the input; null: there is none. An addition of ours, which other SDKs do not look at. */
  readonly input: string | null;
}
