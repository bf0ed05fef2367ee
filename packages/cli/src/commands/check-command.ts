import { SkillyardError } from '@skillyard/contracts';
import { preflightDocument } from '@skillyard/lint';
import type { Command } from 'commander';
import { type CheckReport, checkFile } from '../check/check-file.ts';
import type { Gates } from '../check/gates.ts';
import { printReports } from '../check/print-check.ts';
import { Installations } from '../lint/installation.ts';
import { findSkillFiles } from '../skill/find-skill-files.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { ConfigsBeside } from './configs-beside.ts';
import type { Attach } from './context.ts';

interface CheckOptions {
  readonly config?: string;
  readonly live?: boolean;
  readonly maxCost?: string;
  readonly forbid?: readonly string[];
}

/** `skillyard check`: everything that can be known of a skill before it runs. */
export function addCheck(program: Command, attach: Attach): void {
  const command = program
    .command('check')
    .summary('say what a skill may do before it runs')
    .description(
      'Validates and lints skill files, and says what each may do: the tools its steps can reach and which of them may ' +
        'write, how its loops run, the most generations and calls of a turn, and what that may cost. Runs nothing.',
    )
    .argument('<paths...>', 'skill files, or folders to search for them')
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml beside the skill or here')
    .option('--live', 'ask the configured tool servers for their tools')
    .option('--max-cost <amount>', 'fail when a turn may cost more, by the prices of the configuration')
    .option(
      '--forbid <tool>',
      'fail when a step can reach this `server:tool`, or any tool of this `server`; may be given again',
      (tool: string, before: readonly string[]) => [...before, tool],
      [],
    );
  attach<CheckOptions>(command, async ({ surroundings, terminal }, paths, options) => {
    const gates = readGates(options);
    const configs = new ConfigsBeside(surroundings, options.config);
    const installations = new Installations({ given: {}, live: options.live === true }, surroundings);
    const reports: CheckReport[] = [];
    for (const path of paths) {
      const { files } = await findSkillFiles(path, surroundings.cwd);
      for (const file of files)
        reports.push(await checkFile(file, gates, surroundings, { configs, installations }));
    }
    const passed = reports.every(passes);
    if (terminal.json) terminal.document({ passed, files: reports.map(plain) });
    else printReports(reports, terminal);
    if (reports.some(({ diagnostics }) => diagnostics.length > 0)) return EXIT.badInput;
    return passed ? EXIT.completed : EXIT.failed;
  });
}

function passes({ diagnostics, lint, broken }: CheckReport): boolean {
  const { findings, problem } = lint;
  const hasErrors = problem !== undefined || findings.some(({ severity }) => severity === 'error');
  return diagnostics.length === 0 && !hasErrors && broken.length === 0;
}

/** A report as JSON can hold it. */
function plain(report: CheckReport): object {
  const { preflight, ...rest } = report;
  if (preflight === null) return report;
  return { ...rest, preflight: preflightDocument(preflight) };
}

function readGates({ maxCost, forbid = [] }: CheckOptions): Gates {
  if (maxCost === undefined) return { forbidden: forbid };
  if (/^\d{1,12}(\.\d{1,6})?$/.test(maxCost)) return { maxCost: Number(maxCost), forbidden: forbid };
  throw new SkillyardError('INPUT_INVALID', `--max-cost "${maxCost}" is no amount; write one such as 0.50`);
}
