import { dirname } from 'node:path';
import { modeOf } from '@skillyard/engine';
import type { Command } from 'commander';
import { submittableFile } from '../skill/runnable-file.ts';
import { readRunnableSkill } from '../skill/read-skill.ts';
import { readVars, type VarOptions } from '../skill/read-vars.ts';
import { stepPlace } from '../skill/step-place.ts';
import { followTurn, printUnwatched } from '../system/follow-turn.ts';
import type { RunningSystem } from '../system/running-system.ts';
import { addReachOptions, type ReachOptions, withSystem } from '../system/with-system.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { reportTurn } from '../terminal/report-turn.ts';
import { type Attach, collect, readChoice } from './context.ts';

interface SubmitOptions extends VarOptions, ReachOptions {
  readonly mode?: string;
  readonly fanOut?: string;
  readonly watch?: boolean;
}

/** `skillyard submit`: hands a turn to a running system. */
export function addSubmit(program: Command, attach: Attach): void {
  const command = program
    .command('submit')
    .summary('submit a turn to a running system')
    .description('Submits a turn, to be run by an orchestrator and its workers, and prints its id.')
    .argument('<skill>', 'skill file, or the folder of a built skill')
    .option('-i, --input <text>', 'the request, as the variable `input`')
    .option('--input-file <file>', 'read the request from a file; - for standard input')
    .option('--var <name=value>', 'set a variable; may be repeated', collect)
    .option('--mode <workflow|playbook>', 'which description of the skill runs')
    .option('--fan-out <auto|off>', 'run independent iterations of a loop at once')
    .option('-w, --watch', 'follow the turn to its end and print as `run` does');
  attach<SubmitOptions>(addReachOptions(command), async (context, [named = ''], options) => {
    const { surroundings, terminal } = context;
    const asked = readChoice('--mode', options.mode, ['workflow', 'playbook']);
    const fanOut = readChoice('--fan-out', options.fanOut, ['auto', 'off']);
    const file = submittableFile(named, surroundings.cwd);
    const source = await readRunnableSkill(file, terminal, surroundings.cwd);
    if (source === null) return EXIT.badInput;
    const mode = modeOf(source.skill, asked);
    const vars = await readVars(options, surroundings);
    const submit = async (system: RunningSystem): Promise<number> => {
      const turnId = await system.submit({ text: source.text, file: source.file, mode: asked, fanOut, vars });
      if (options.watch !== true) {
        if (terminal.json) terminal.document({ turnId });
        else terminal.out(turnId);
        return EXIT.completed;
      }
      if (!terminal.json) terminal.err(`submitted ${turnId}`);
      const report = await followTurn(system, turnId, context);
      return report === null
        ? printUnwatched(turnId, context)
        : reportTurn(terminal, report, { place: stepPlace(source, report, mode) });
    };
    return withSystem(context, options, submit, dirname(source.path));
  });
}
