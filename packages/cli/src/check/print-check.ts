import type { Mode } from '@skillyard/engine';
import type { Preflight, ReachedTool } from '@skillyard/lint';
import { printRun } from '../lint/print-run.ts';
import { renderDiagnostic } from '../terminal/render-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CheckReport } from './check-file.ts';
import { money } from './gates.ts';

/** Prints reports for people. */
export function printReports(reports: readonly CheckReport[], terminal: Terminal): void {
  const { colors } = terminal;
  for (const report of reports) {
    terminal.out(colors.bold(report.file));
    for (const diagnostic of report.diagnostics) terminal.out(renderDiagnostic(diagnostic, colors));
    if (report.preflight !== null) printPreflight(report, report.preflight, terminal);
    for (const gate of report.broken) terminal.out(`  ${colors.red('refused:')} ${gate}`);
  }
  const files = reports.filter(({ diagnostics }) => diagnostics.length === 0).map(({ lint }) => lint);
  if (files.length > 0) printRun({ files, skipped: [], unreached: [] }, terminal);
}

const RUNS_AS: Readonly<Record<Mode, string>> = {
  workflow: 'a workflow',
  playbook: 'a playbook: one model with its tools',
  code: 'code: a built skill that decides by itself',
};

function printPreflight({ loops }: CheckReport, report: Preflight, terminal: Terminal): void {
  const { envelope } = report;
  const line = (label: string, text: string): void =>
    terminal.out(`  ${terminal.colors.dim(label.padEnd(12))} ${text}`);
  line('runs as', RUNS_AS[report.mode]);
  line('at most', atMost(report));
  line('tokens', `${number(envelope.inputTokens)} in, ${number(envelope.outputTokens)} out, by assumption`);
  line('cost', envelope.cost === null ? `not known (${priceless(envelope.unpriced)})` : money(envelope.cost));
  for (const { step, position, tools } of report.reach) {
    line('reaches', `${tools.map(toolName).join(', ')} (line ${position.line}, "${step}")`);
  }
  for (const { skill, position } of report.delegations) {
    line('delegates', `to "${skill}" (line ${position.line}), which is not counted here`);
  }
  for (const { name, position, plan } of loops) {
    const how = plan.concurrency > 1 ? `up to ${plan.concurrency} at once` : 'one at a time';
    const loop = name === '' ? 'the loop' : `"${name}"`;
    line('loop', `${loop} (line ${position.line}) ${how}: ${plan.reason}`);
  }
  for (const { step, position, reason } of report.unreachable) {
    line('never runs', `"${step}" (line ${position.line}): ${reason}`);
  }
  for (const { variable, position } of report.unread) {
    line('never read', `${variable} (line ${position.line})`);
  }
}

function atMost({ mode, openEnded, worst }: Preflight): string {
  if (mode !== 'code') return counts(worst);
  if (openEnded) return 'not known: code decides, and the skill sets no limits';
  const calls = worst.calls === 0 ? 'and calls without a limit' : plural(worst.calls, 'call');
  return `${plural(worst.generations, 'generation')}, ${calls}: code decides, and may ask people besides`;
}

function counts({ generations, calls, delegations, questions }: Preflight['worst']): string {
  const parts = [plural(generations, 'generation'), plural(calls, 'call')];
  if (delegations > 0) parts.push(plural(delegations, 'delegation'));
  if (questions > 0) parts.push(plural(questions, 'question'));
  return `${parts.join(', ')}: ${plural(generations + calls + delegations + questions, 'job')}`;
}

function toolName({ server, tool, dynamic, writes }: ReachedTool): string {
  const where = server === '' ? 'a server chosen at run time' : server;
  const name = tool === '' ? `any tool of ${where}` : `${where}:${tool}`;
  const chosen = dynamic && server !== '' ? ', chosen at run time' : '';
  return `${name}${writes ? ' (may write' : ' (reads'}${chosen})`;
}

function priceless(models: readonly string[]): string {
  const names = models.map((model) => (model === '' ? 'the default model' : `"${model}"`));
  return `no price of ${names.join(', ')}`;
}

function plural(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? '' : 's'}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
