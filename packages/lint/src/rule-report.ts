import type { Position } from '@skillyard/contracts';
import type { Finding, Severity } from './finding.ts';
import type { RuleInfo } from './rule-info.ts';

/** What a rule says of one place. */
export interface Remark {
  readonly position: Position;
  /** The name of the step, or its place in the flow. */
  readonly step?: string;
  readonly message: string;
  readonly hint: string;
  /** Where it is not the one of the rule. */
  readonly severity?: Severity;
}

/** A file with more remarks of one kind than this has one mistake, and nobody reads further. */
const MAX_FINDINGS = 100;
/** Characters of a message: names in a file may be as long as the file. */
const MAX_TEXT = 1000;

/** Gathers what one rule finds in one file. */
export class RuleReport {
  readonly findings: Finding[] = [];
  /** What the rule would have needed; empty when it ran. */
  readonly missing = new Set<string>();
  readonly #rule: RuleInfo;
  readonly #file: string;

  constructor(rule: RuleInfo, file: string) {
    this.#rule = rule;
    this.#file = file;
  }

  add({ position, step, message, hint, severity = this.#rule.severity }: Remark): void {
    if (this.isFull()) return;
    this.findings.push({
      rule: this.#rule.id,
      severity,
      file: this.#file,
      ...position,
      ...(step === undefined ? {} : { step }),
      message: shortened(message),
      hint: shortened(hint),
      topic: this.#rule.topic,
    });
  }

  /** Whether anything more is dropped, so that a rule may stop looking. */
  isFull(): boolean {
    return this.findings.length >= MAX_FINDINGS;
  }

  /**
   * Notes that a part of the rule had work and did not run.
   * @param missing what it needs, as files of facts and configurations spell it: `all_tools`
   */
  skip(missing: string): void {
    this.missing.add(missing);
  }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
