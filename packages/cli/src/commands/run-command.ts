import { type Mode, modeOf, type Skill } from '@skillyard/engine';
import type { Command } from 'commander';
import type { LocalRunOptions } from '../local/local-run.ts';
import { readAnswerBook } from '../questions/answer-book.ts';
import { localAnswers } from '../questions/local-answers.ts';
import { readRunnableSkill } from '../skill/read-skill.ts';
import { type RunnableFile, runnableFile } from '../skill/runnable-file.ts';
import { readVars, type VarOptions } from '../skill/read-vars.ts';
import { stepPlace } from '../skill/step-place.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { createProgress } from '../terminal/progress.ts';
import { type ComparedTurn, reportComparison } from '../terminal/report-comparison.ts';
import { reportTurn, type TurnReport } from '../terminal/report-turn.ts';
import { type Attach, collect, type CommandContext, readChoice, readTimeLimit } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';
import { withCancellation } from './with-cancellation.ts';

interface RunOptions extends VarOptions {
  readonly config?: string;
  readonly mode?: string;
  readonly fanOut?: string;
  readonly timeout?: string;
  readonly answers?: string;
}

/** `skillyard run`: one turn in this process, without Redis. */
export function addRun(program: Command, attach: Attach): void {
  const command = program
    .command('run')
    .summary('run a skill in this process')
    .description('Runs a skill in this process, without Redis, and prints the answer.')
    .argument('<skill>', 'skill file, folder of a built skill, or source of one (.ts)')
    .option('-i, --input <text>', 'the request, as the variable `input`')
    .option('--input-file <file>', 'read the request from a file; - for standard input')
    .option('--var <name=value>', 'set a variable; may be repeated', collect)
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml beside the skill or here')
    .option('--mode <workflow|playbook|both>', 'which description of the skill runs; both compares them')
    .option('--fan-out <auto|off>', 'run independent iterations of a loop at once')
    .option(
      '--answers <file>',
      'answers to its questions, as JSON by the name of the step; - for standard input',
    )
    .option('--timeout <duration>', 'cancel the turn after this time, such as 90s or 5m');
  attach<RunOptions>(command, async (context, [named = ''], options) => {
    const runnable = await runnableFile(named, context.surroundings.cwd);
    try {
      return await run(context, runnable, options);
    } finally {
      await runnable.close();
    }
  });
}

async function run(
  context: CommandContext,
  { file, folder }: RunnableFile,
  options: RunOptions,
): Promise<number> {
  const { surroundings, terminal } = context;
  const asked = readChoice('--mode', options.mode, ['workflow', 'playbook', 'both']);
  const fanOut = readChoice('--fan-out', options.fanOut, ['auto', 'off']);
  const limit = readTimeLimit(options.timeout);
  const source = await readRunnableSkill(file, terminal, surroundings.cwd);
  if (source === null) return EXIT.badInput;
  const modes = modesToRun(source.skill, asked);
  const loaded = await loadCommandConfig(surroundings, {
    file: options.config,
    beside: folder,
  });
  const vars = await readVars(options, surroundings);
  const book = options.answers === undefined ? {} : await readAnswerBook(options.answers, surroundings);

  // Loaded when needed: model and tool libraries take most of the time in which a command starts.
  const { openLocalRun } = await import('../local/local-run.ts');
  const turns: ComparedTurn[] = [];
  await withCancellation(surroundings, limit, async (signal) => {
    for (const mode of modes) {
      if (turns.length > 0 && signal.aborted) break;
      if (modes.length > 1 && !terminal.json) terminal.err(terminal.colors.dim(`${mode}:`));
      const progress = createProgress(terminal);
      const onEvent: LocalRunOptions['onEvent'] = (event, within) => {
        // It is asked right here.
        if (event.type !== 'question.asked') progress.event(event, within);
      };
      const local = openLocalRun({
        source,
        mode,
        loaded,
        surroundings,
        onEvent,
        answer: localAnswers({
          book,
          person: terminal.json ? null : (surroundings.person ?? null),
          terminal,
          progress,
        }),
        ...(fanOut && { fanOut }),
      });
      try {
        const report = await local.run(vars, signal);
        turns.push({ mode, report, place: stepPlace(source, report, mode) });
      } finally {
        progress.end();
        await local.close();
      }
    }
  });
  const [only] = turns;
  if (modes.length > 1 || only === undefined) return reportComparison(terminal, turns);
  const hint = configHint(loaded.file, only.report, surroundings.cwd);
  return reportTurn(terminal, only.report, { place: only.place, hint });
}

/**
 * Which descriptions of a skill run, one after the other.
 * @throws SkillyardError SKILL_INVALID if it does not have one that was asked for
 */
function modesToRun(skill: Skill, asked: Mode | 'both' | undefined): readonly Mode[] {
  if (asked !== 'both') return [modeOf(skill, asked)];
  return [modeOf(skill, 'workflow'), modeOf(skill, 'playbook')];
}

const NOT_CONFIGURED = new Set(['MODEL_UNKNOWN', 'SERVER_UNKNOWN']);

/** Names that are missing from a configuration that is not there are no misspellings. */
function configHint(file: string | null, report: TurnReport, cwd: string): string | undefined {
  if (file !== null || !NOT_CONFIGURED.has(report.outcome.error?.code ?? '')) return undefined;
  return `there is no skillyard.yaml beside the skill or in ${cwd}; write one, or name one with --config`;
}
