import type { Diagnostic } from '@skillyard/contracts';
import { inspectSkill } from '@skillyard/engine';
import { FLOW_CHECKS, SKILL_CHECKS } from './checks.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { LintOptions } from './lint-options.ts';
import { RuleReport } from './rule-report.ts';
import { type RuleId, RULES } from './rules.ts';
import { flowSubject, type SkillSubject } from './subject.ts';

/** What the linter should know besides the file. */
export interface LintInput {
  /** What findings call the file. */
  readonly file?: string;
  readonly facts?: Facts;
  readonly options?: LintOptions;
}

/** What the linter says of a file. */
export interface LintReport {
  /** By their place in the file. */
  readonly findings: readonly Finding[];
  /** The rules that had work and did not run; each has a finding X1 that says what is missing. */
  readonly skipped: readonly RuleId[];
}

/**
 * Looks for what is wrong with a skill beyond what keeps it from loading (spec section 15): at the program as it will
 * run, keys moved and profiles folded. A file that does not load is reported too, as S1 and W1. A disabled skill has no
 * findings.
 * @param text the whole file
 * @throws SkillyardError INPUT_INVALID if an option cannot be used, such as a pattern that is no regular expression
 */
export function lintSkill(text: string, { file = '', facts = {}, options = {} }: LintInput = {}): LintReport {
  const inspection = inspectSkill(text, { file });
  const reports = new Map(RULES.map((rule) => [rule.id, new RuleReport(rule, file)]));
  const into = (id: RuleId): RuleReport => reports.get(id) as RuleReport;
  if (!inspection.parsed) {
    addDiagnostics(inspection.diagnostics, into('S1'));
  } else if (!inspection.skill.disabled) {
    const { skill, header, flow } = inspection;
    addDiagnostics(header, into('S1'));
    addDiagnostics(flow, into('W1'));
    const subject: SkillSubject = { source: text.replaceAll('\r\n', '\n'), skill, facts, options };
    for (const [id, check] of Object.entries(SKILL_CHECKS)) check(subject, into(id as RuleId));
    if (skill.workflow !== null && flow.length === 0) {
      const program = flowSubject(subject, skill.workflow);
      for (const [id, check] of Object.entries(FLOW_CHECKS)) check(program, into(id as RuleId));
    }
  }
  return summarize([...reports.entries()]);
}

/** What keeps a file from loading, as findings. */
function addDiagnostics(diagnostics: readonly Diagnostic[], report: RuleReport): void {
  for (const { message, hint = '', position = { line: 1, column: 1 }, step } of diagnostics) {
    report.add({ position, message, hint, ...(step === undefined ? {} : { step }) });
  }
}

function summarize(reports: readonly (readonly [RuleId, RuleReport])[]): LintReport {
  const skipped = reports.filter(([, { missing }]) => missing.size > 0);
  const unknown = new Map(reports).get('X1') as RuleReport;
  for (const [id, { missing }] of skipped) {
    const names = [...missing].map((name) => `\`${name}\``).join(' and ');
    unknown.add({
      position: { line: 1, column: 1 },
      message: `${id} had something to look at and did not run, or not wholly: ${names} is not given.`,
      hint: `Give the linter ${names}.`,
    });
  }
  const findings = reports.flatMap(([, report]) => report.findings);
  return {
    findings: findings.toSorted((a, b) => a.line - b.line || a.column - b.column),
    skipped: skipped.map(([id]) => id),
  };
}
