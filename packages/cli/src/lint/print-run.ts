import type { Diagnostic } from '@skillyard/contracts';
import type { Finding } from '@skillyard/lint';
import { renderDiagnostic } from '../terminal/render-error.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import type { FileReport } from './lint-files.ts';
import type { UnreachedServer } from './live-tools.ts';

/** Everything a run of the linter found. */
export interface LintRun {
  readonly files: readonly FileReport[];
  /** YAML files that are about something else. */
  readonly skipped: readonly string[];
  readonly unreached: readonly UnreachedServer[];
}

/** How many findings of each severity there are. */
export function countFindings(run: LintRun): { errors: number; warnings: number; infos: number } {
  const all = run.files.flatMap(({ findings }) => findings);
  const count = (severity: Finding['severity']): number =>
    all.filter((finding) => finding.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), infos: count('info') };
}

/** Prints a run for people, file by file, or as one document. */
export function printRun(run: LintRun, terminal: Terminal): void {
  const counts = countFindings(run);
  const problems = run.files.filter(({ problem }) => problem !== undefined).length;
  if (terminal.json) {
    terminal.document({ passed: counts.errors === 0 && problems === 0, counts, ...run });
    return;
  }
  const { colors } = terminal;
  for (const report of run.files) printFile(report, terminal);
  for (const file of run.skipped) terminal.out(colors.dim(`${file}: skipped, it is no skill`));
  for (const { server, code, message } of run.unreached) {
    terminal.err(
      `${colors.yellow(`warning ${code}:`)} linted without the tools of ${server}: ${oneLine(message, 500)}`,
    );
  }
  const silent = [...new Set(run.files.flatMap(({ skipped }) => skipped))];
  if (silent.length > 0) {
    const rules = silent.join(', ');
    terminal.out(
      `not checked everywhere: ${rules}; \`--live\`, \`--facts\` or \`lint:\` in the configuration tells what they need`,
    );
  }
  terminal.out(summary(run, problems));
}

function printFile({ file, findings, problem }: FileReport, terminal: Terminal): void {
  if (problem !== undefined) {
    const diagnostic = { ...problem, severity: 'error', file } as const;
    terminal.out(renderDiagnostic(diagnostic, terminal.colors));
  }
  for (const finding of findings) terminal.out(renderDiagnostic(diagnosticOf(finding), terminal.colors));
}

function diagnosticOf({ rule, severity, file, line, column, message, hint }: Finding): Diagnostic {
  const position = { line, column };
  return { code: rule, severity, file, position, message, ...(hint !== '' && { hint }) };
}

function summary(run: LintRun, problems: number): string {
  const { errors, warnings, infos } = countFindings(run);
  const parts = [counted(errors, 'error'), counted(warnings, 'warning'), counted(infos, 'note')];
  const told = problems === 0 ? '' : `, ${problems} could not be looked at`;
  return `${counted(run.files.length, 'skill')} linted${told}: ${parts.join(', ')}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
