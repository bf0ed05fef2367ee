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
  printSilentRules(run, terminal);
  printTopics(run, terminal);
  terminal.out(summary(run, problems));
}

function printFile({ file, findings, problem }: FileReport, terminal: Terminal): void {
  if (problem !== undefined) {
    const diagnostic = { ...problem, severity: 'error', file } as const;
    terminal.out(renderDiagnostic(diagnostic, terminal.colors));
  }
  for (const finding of findings) {
    if (finding.rule !== SILENT) terminal.out(renderDiagnostic(diagnosticOf(finding), terminal.colors));
  }
}

/** The rule that says of another one that it did not run. */
const SILENT = 'X1';

/** What could not be checked, once for all skills that lack the same: it is most often the same in each. */
function printSilentRules({ files }: LintRun, terminal: Terminal): void {
  const { colors } = terminal;
  const byMessage = new Map<string, Finding[]>();
  for (const finding of files.flatMap(({ findings }) => findings)) {
    if (finding.rule !== SILENT) continue;
    const same = byMessage.get(finding.message);
    if (same === undefined) byMessage.set(finding.message, [finding]);
    else same.push(finding);
  }
  for (const [message, [first, ...others]] of byMessage) {
    const place = others.length === 0 ? oneLine(first?.file ?? '') : `${others.length + 1} skills`;
    terminal.out(`${place}: ${colors.cyan(`info ${SILENT}:`)} ${message}`);
  }
  if (byMessage.size > 0) {
    terminal.out(
      `  ${colors.dim('hint:')} \`--live\`, \`--facts\` and \`lint:\` in the configuration tell what rules need to know.`,
    );
  }
}

/** Where to read what to do, for what was found and not for what could not be looked at. */
function printTopics({ files }: LintRun, terminal: Terminal): void {
  const findings = files.flatMap((file) => file.findings).filter(({ rule }) => rule !== SILENT);
  const topics = [...new Set(findings.map(({ topic }) => topic))];
  if (topics.length === 0) return;
  terminal.out(
    `  ${terminal.colors.dim('read on:')} ${topics.map((topic) => `skillyard handbook ${topic}`).join(', ')}`,
  );
}

/** Messages hold names that a skill of unknown origin chose. */
function diagnosticOf(finding: Finding): Diagnostic {
  const { rule, severity, line, column } = finding;
  const message = oneLine(finding.message, LONGEST_MESSAGE);
  const hint = oneLine(finding.hint, LONGEST_MESSAGE);
  const position = { line, column };
  return {
    code: rule,
    severity,
    file: oneLine(finding.file),
    position,
    message,
    ...(hint !== '' && { hint }),
  };
}

const LONGEST_MESSAGE = 1000;

function summary(run: LintRun, problems: number): string {
  const { errors, warnings, infos } = countFindings(run);
  const parts = [counted(errors, 'error'), counted(warnings, 'warning'), counted(infos, 'note')];
  const told = problems === 0 ? '' : `, ${problems} could not be looked at`;
  return `${counted(run.files.length, 'skill')} linted${told}: ${parts.join(', ')}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
