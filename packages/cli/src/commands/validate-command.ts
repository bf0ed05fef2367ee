import { dirname } from 'node:path';
import { type Diagnostic, SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import { findSkillFiles } from '../skill/find-skill-files.ts';
import { type LoopReport, reportLoops } from '../skill/loop-report.ts';
import { type ModeReport, reportMode } from '../skill/mode-report.ts';
import { loadSkillFile } from '../skill/read-skill.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { renderDiagnostic } from '../terminal/render-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ConfigsBeside } from './configs-beside.ts';
import type { Attach, CommandContext } from './context.ts';

interface ValidateOptions {
  readonly config?: string;
}

/** What is known of one file. */
interface FileReport {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  /** null for a skill that is refused. */
  readonly mode: ModeReport | null;
  readonly loops: readonly LoopReport[];
}

/** `skillyard validate`: says what is wrong with skill files, without running anything. */
export function addValidate(program: Command, attach: Attach): void {
  const command = program
    .command('validate')
    .summary('check skill files')
    .description('Checks skill files and says what is wrong, where, and what to write instead. Runs nothing.')
    .argument('<paths...>', 'skill files, or folders to search for them')
    .option(
      '-c, --config <file>',
      'configuration, for the effects of tools; default: skillyard.yaml beside the skill or here',
    );
  attach<ValidateOptions>(command, async (context, paths, options) => {
    const configs = new ConfigsBeside(context.surroundings, options.config);
    const reports: FileReport[] = [];
    const skipped: string[] = [];
    for (const path of paths) {
      const found = await findSkillFiles(path, context.surroundings.cwd);
      skipped.push(...found.skipped);
      for (const file of found.files) reports.push(await checkFile(file, context, configs));
    }
    return print(reports, skipped, context.terminal);
  });
}

async function checkFile(file: string, context: CommandContext, configs: ConfigsBeside): Promise<FileReport> {
  try {
    const source = await loadSkillFile(file, context.surroundings.cwd);
    if ('diagnostics' in source) return { file, diagnostics: source.diagnostics, mode: null, loops: [] };
    const { config } = await configs.beside(dirname(source.path));
    return {
      file,
      diagnostics: [],
      mode: reportMode(source.skill, config),
      loops: reportLoops(source.skill, config),
    };
  } catch (error) {
    // One file, or the configuration beside it, that cannot be read is no reason to say nothing of the others.
    if (!SkillyardError.is(error)) throw error;
    const { code, message } = error;
    return { file, diagnostics: [{ code, severity: 'error', message, file }], mode: null, loops: [] };
  }
}

function print(reports: readonly FileReport[], skipped: readonly string[], terminal: Terminal): number {
  const errors = reports.flatMap((report) => report.diagnostics);
  const refused = reports.filter((report) => report.diagnostics.length > 0).length;
  if (terminal.json) {
    terminal.document({ valid: refused === 0, files: reports, skipped });
  } else {
    for (const diagnostic of errors) terminal.out(renderDiagnostic(diagnostic, terminal.colors));
    for (const { file, mode, loops } of reports) {
      if (mode !== null && mode.summary !== '') terminal.out(renderMode(file, mode, terminal));
      for (const loop of loops) terminal.out(renderLoop(file, loop, terminal));
    }
    for (const file of skipped) terminal.out(terminal.colors.dim(`${file}: skipped, it is no skill`));
    terminal.out(summary(reports.length, refused, errors.length));
  }
  return refused === 0 ? EXIT.completed : EXIT.badInput;
}

function renderMode(file: string, report: ModeReport, terminal: Terminal): string {
  const { position } = report;
  const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
  return `${place}: ${terminal.colors.cyan('info MODE:')} ${report.summary}`;
}

function renderLoop(file: string, loop: LoopReport, terminal: Terminal): string {
  const { position, name, plan } = loop;
  const place = `${file}:${position.line}:${position.column}`;
  const how =
    plan.concurrency > 1
      ? `runs up to ${plan.concurrency} iterations at once`
      : 'runs one iteration at a time';
  return `${place}: ${terminal.colors.cyan('info LOOP:')} ${name === '' ? 'the loop' : `"${name}"`} ${how}: ${plan.reason}`;
}

function summary(files: number, refused: number, errors: number): string {
  const checked = files === 1 ? '1 skill' : `${files} skills`;
  if (refused === 0) return `${checked} checked, no errors`;
  return `${checked} checked, ${refused} refused, ${errors === 1 ? '1 error' : `${errors} errors`}`;
}
