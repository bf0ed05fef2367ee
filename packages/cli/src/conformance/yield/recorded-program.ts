/** A program and what it printed, journal by journal. */
export interface RecordedProgram {
  readonly program: string;
  readonly language: string;
  readonly program_source: string;
  /** Each the whole life of a run: one answer more a step. */
  readonly cases: readonly { readonly name: string; readonly steps: readonly RecordedStep[] }[];
  /** Journals that no supervisor writes. */
  readonly tampered?: readonly NamedStep[];
  /** Journals whose requests were parsed and printed again. */
  readonly reserialized_diverges?: { readonly steps: readonly RecordedStep[] };
}

/** One run of a program. */
export interface RecordedStep {
  readonly journal?: unknown;
  /** The bytes of the journal where they matter. */
  readonly journal_text?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
}

export interface NamedStep extends RecordedStep {
  readonly name: string;
  /** How many operations are answered in the life of its run; absent: it is of none. */
  readonly answered?: number;
}

/** The steps of a recording, each with a name of its own. */
export function stepsOf(recorded: RecordedProgram): readonly NamedStep[] {
  return [
    ...recorded.cases.flatMap(({ name, steps }) =>
      steps.map((step, index) => ({ ...step, name: `${name}/${index}`, answered: index })),
    ),
    ...(recorded.tampered ?? []).map((step) => ({ ...step, name: `tampered/${step.name}` })),
    ...(recorded.reserialized_diverges?.steps ?? []).map((step, index) => ({
      ...step,
      name: `reserialized/${index}`,
    })),
  ];
}

/** The journal of a step, as it lay in its file. */
export function journalOf(step: RecordedStep): string {
  return step.journal_text ?? JSON.stringify(step.journal);
}
