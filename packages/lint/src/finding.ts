/** How bad a finding is. `error`: the skill will not do what it says. `info`: something worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** Something a rule found in a skill file. */
export interface Finding {
  /** The id of the rule, such as `W3`. */
  readonly rule: string;
  readonly severity: Severity;
  /** What messages call the file; empty when it has no name. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The name of the step it is about. */
  readonly step?: string;
  /** What is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
  /** The topic of the handbook that explains it. */
  readonly topic: string;
}
