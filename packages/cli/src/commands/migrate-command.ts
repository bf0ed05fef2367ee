import { SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import { findSkillFiles } from '../skill/find-skill-files.ts';
import { type FileMigration, migrateFile } from '../skill/migrate-file.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { renderDiagnostic } from '../terminal/render-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';

interface MigrateOptions {
  readonly write?: boolean;
  readonly check?: boolean;
}

/** `skillyard migrate`: carries files of format 1.x over to 2.x. */
export function addMigrate(program: Command, attach: Attach): void {
  const command = program
    .command('migrate')
    .summary('carry skill files of format 1.x over to 2.x')
    .description(
      'Shows what would change in skill files of format 1.x so that they load, and why; with --write changes them. ' +
        'Files are edited as text: comments, order, quotes and line ends stay. Does not validate the result.',
    )
    .argument('<paths...>', 'skill files, or folders to search for them')
    .option('--write', 'change the files')
    .option('--check', 'change nothing, and exit with 1 when something would change');
  attach<MigrateOptions>(command, async ({ surroundings, terminal }, paths, options) => {
    if (options.write === true && options.check === true)
      throw new SkillyardError('INPUT_INVALID', 'both --write and --check are given; write one of them');
    const mode = options.write === true ? 'write' : 'show';
    const migrations = new Map<string, FileMigration>();
    const skipped: string[] = [];
    for (const named of paths) {
      const found = await findSkillFiles(named, surroundings.cwd);
      skipped.push(...found.skipped);
      for (const file of found.files) {
        if (migrations.has(file)) continue;
        migrations.set(file, await migrateFile(file, { cwd: surroundings.cwd, named }, mode));
      }
    }
    const files = [...migrations.values()];
    print(files, skipped, terminal);
    if (files.some(isRefused)) return EXIT.badInput;
    return options.check === true && files.some(isChanged) ? EXIT.failed : EXIT.completed;
  });
}

const isRefused = ({ diagnostics }: FileMigration): boolean => diagnostics.length > 0;
const isChanged = ({ changes }: FileMigration): boolean => changes.length > 0;

function print(files: readonly FileMigration[], skipped: readonly string[], terminal: Terminal): void {
  if (terminal.json) {
    terminal.document({ changed: files.some(isChanged), files, skipped });
    return;
  }
  for (const { file, changes, diff, written, diagnostics } of files) {
    for (const diagnostic of diagnostics) terminal.out(renderDiagnostic(diagnostic, terminal.colors));
    for (const { position, message } of changes) {
      const place = `${file}:${position.line}:${position.column}`;
      terminal.out(`${place}: ${terminal.colors.cyan('info MIGRATION:')} ${message}`);
    }
    if (diff !== '' && !written) terminal.answer(diff);
  }
  for (const file of skipped) terminal.out(terminal.colors.dim(`${file}: skipped, it is no skill`));
  terminal.out(summary(files));
}

function summary(files: readonly FileMigration[]): string {
  const changed = files.filter(isChanged);
  const refused = files.filter(isRefused).length;
  const done = changed.some(({ written }) => written) ? 'changed' : 'would change';
  const hint = changed.some(({ written }) => !written) ? '; write them with --write' : '';
  const parts = [
    files.length === 1 ? '1 skill looked at' : `${files.length} skills looked at`,
    changed.length === 0 ? 'nothing to change' : `${changed.length} ${done}`,
    ...(refused === 0 ? [] : [`${refused} left alone`]),
  ];
  return parts.join(', ') + hint;
}
