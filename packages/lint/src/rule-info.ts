import type { Facts } from './facts.ts';
import type { Severity } from './finding.ts';
import type { LintOptions } from './lint-options.ts';

/** What there is to say about a rule without running it. */
export interface RuleInfo {
  readonly id: string;
  /** How bad what it finds is; the worst, where that depends. */
  readonly severity: Severity;
  readonly title: string;
  /** What goes wrong when the rule is right, in a sentence. */
  readonly about: string;
  /** Facts it asks for; without them it does less or does not run. */
  readonly facts: readonly (keyof Facts)[];
  /** Options it asks for; without them it does less or does not run. */
  readonly options: readonly (keyof LintOptions)[];
  /** The topic of the handbook that explains what to do. */
  readonly topic: string;
}
