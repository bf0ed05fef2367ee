/** What the world answers in a recorded case. A double whose key is absent is not configured at all. */
export interface CaseScript {
  readonly runner?: Readonly<Record<string, readonly RunnerAnswer[]>>;
  readonly caller?: Readonly<Record<string, readonly Answer[]>>;
  readonly delegate?: Readonly<Record<string, readonly Answer[]>>;
  readonly assets?: Readonly<Record<string, string | { readonly error: string }>>;
  readonly memory?: Readonly<Record<string, string>>;
}

/** A scripted answer of a tool or a skill. */
export interface Answer {
  readonly text?: string;
  readonly error?: string;
  /** Fails as a permission refusal; `error` is then only the detail. */
  readonly denied?: boolean;
}

/** A scripted answer of a model with a tool loop of its own. */
export interface RunnerAnswer extends Answer {
  readonly calls?: number;
  readonly calls_failed?: number;
  readonly note?: string;
  readonly truncated?: boolean;
  /** The failure travels inside the result instead of being thrown: the same thing for a step result. */
  readonly result_error?: boolean;
}
