import { type LintFacts, SkillyardError } from '@skillyard/contracts';
import { parseLintFacts } from '@skillyard/runtime';
import type { Command } from 'commander';
import { Installations } from '../lint/installation.ts';
import { type FileReport, lintFile } from '../lint/lint-files.ts';
import { countFindings, type LintRun, printRun } from '../lint/print-run.ts';
import { printRules } from '../lint/print-rules.ts';
import { sarifOf } from '../lint/sarif-of.ts';
import { findSkillFiles } from '../skill/find-skill-files.ts';
import { displayPath, readTextFile } from '../skill/read-file.ts';
import type { Surroundings } from '../surroundings.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { ConfigsBeside } from './configs-beside.ts';
import type { Attach, CommandContext, CommonOptions } from './context.ts';

interface LintOptions {
  readonly config?: string;
  readonly facts?: string;
  readonly live?: boolean;
  readonly sarif?: boolean;
  readonly rules?: boolean;
  readonly maxWarnings?: string;
}

/** `skillyard lint`: says what will go badly in skills that are allowed to run. */
export function addLint(program: Command, attach: Attach): void {
  const command = program
    .command('lint')
    .summary('find what will go badly in skills')
    .description(
      'Looks in skill files for what is allowed and goes badly all the same: a variable nobody sets, a tool its server ' +
        'does not have, a required field that may be empty. Runs nothing. A rule that lacks a fact says that it did not run.',
    )
    .argument('[paths...]', 'skill files, or folders to search for them')
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml beside the skill or here')
    .option('--facts <file>', 'what is known of the installation, as JSON; wins over what is found out')
    .option('--live', 'ask the configured tool servers for their tools')
    .option('--max-warnings <n>', 'fail when there are more warnings than this')
    .option('--sarif', 'print a SARIF 2.1.0 log on standard output')
    .option('--rules', 'print the rules instead');
  attach<LintOptions>(command, async (context, paths, options) => {
    if (options.rules === true) return printRules(context.terminal);
    const maxWarnings = readMaxWarnings(options.maxWarnings);
    checkArguments(paths, options);
    const run = await lintPaths(paths, context, options);
    if (options.sarif === true) context.terminal.document(await sarifOf(run, context.surroundings.cwd));
    else printRun(run, context.terminal);
    return exitCode(run, maxWarnings);
  });
}

async function lintPaths(
  paths: readonly string[],
  { surroundings }: CommandContext,
  options: LintOptions,
): Promise<LintRun> {
  const given = await readFacts(options.facts, surroundings);
  const configs = new ConfigsBeside(surroundings, options.config);
  const installations = new Installations({ given, live: options.live === true }, surroundings);
  // One that is named is that of every skill: if it cannot be used, once is enough to say so.
  if (options.config !== undefined) await configs.beside(surroundings.cwd);
  const names = new Set<string>();
  const skipped = new Set<string>();
  for (const path of paths) {
    const found = await findSkillFiles(path, surroundings.cwd);
    for (const file of found.skipped) skipped.add(file);
    for (const file of found.files) names.add(file);
  }
  const files: FileReport[] = [];
  for (const file of names) files.push(await lintFile(file, surroundings, { configs, installations }));
  return { files, skipped: [...skipped], unreached: await installations.unreached() };
}

const MAX_FACTS_BYTES = 16 * 1024 * 1024;

async function readFacts(file: string | undefined, { cwd }: Surroundings): Promise<LintFacts> {
  if (file === undefined) return {};
  const limits = { what: 'facts file', limit: MAX_FACTS_BYTES, tooLarge: 'INPUT_INVALID' } as const;
  return parseLintFacts(await readTextFile(file, { cwd, ...limits }), displayPath(file, cwd));
}

function checkArguments(paths: readonly string[], options: LintOptions & CommonOptions): void {
  if (paths.length === 0) {
    throw new SkillyardError(
      'INPUT_INVALID',
      'no skill is named; write `skillyard lint <files or folders...>`',
    );
  }
  if (options.sarif === true && options.json === true) {
    throw new SkillyardError('INPUT_INVALID', 'both --sarif and --json are given; keep one of them');
  }
}

function readMaxWarnings(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SkillyardError(
    'INPUT_INVALID',
    `--max-warnings "${text}" is no whole number; write one such as 0`,
  );
}

function exitCode(run: LintRun, maxWarnings: number): number {
  if (run.files.some(({ problem }) => problem !== undefined)) return EXIT.badInput;
  const { errors, warnings } = countFindings(run);
  return errors > 0 || warnings > maxWarnings ? EXIT.failed : EXIT.completed;
}
