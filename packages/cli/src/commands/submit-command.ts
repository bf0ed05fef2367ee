import { dirname } from 'node:path';
import { modeOf } from '@skillyard/engine';
import type { Command } from 'commander';
import { followTurn, printUnwatched } from '../queue/follow-turn.ts';
import { readRunnableSkill } from '../skill/read-skill.ts';
import { readVars, type VarOptions } from '../skill/read-vars.ts';
import { stepPlace } from '../skill/step-place.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { reportTurn } from '../terminal/report-turn.ts';
import { type Attach, collect, readChoice } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface SubmitOptions extends VarOptions {
  readonly config?: string;
  readonly redis?: string;
  readonly mode?: string;
  readonly fanOut?: string;
  readonly watch?: boolean;
}

/** `skillyard submit`: hands a turn to a running system. */
export function addSubmit(program: Command, attach: Attach): void {
  const command = program
    .command('submit')
    .summary('submit a turn to a running system')
    .description(
      'Submits a turn over Redis, to be run by an orchestrator and its workers, and prints its id.',
    )
    .argument('<skill>', 'skill file')
    .option('-i, --input <text>', 'the request, as the variable `input`')
    .option('--input-file <file>', 'read the request from a file; - for standard input')
    .option('--var <name=value>', 'set a variable; may be repeated', collect)
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml beside the skill or here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379')
    .option('--mode <workflow|playbook>', 'which description of the skill runs')
    .option('--fan-out <auto|off>', 'run independent iterations of a loop at once')
    .option('-w, --watch', 'follow the turn to its end and print as `run` does');
  attach<SubmitOptions>(command, async (context, [file = ''], options) => {
    const { surroundings, terminal } = context;
    const asked = readChoice('--mode', options.mode, ['workflow', 'playbook']);
    const fanOut = readChoice('--fan-out', options.fanOut, ['auto', 'off']);
    const source = await readRunnableSkill(file, terminal, surroundings.cwd);
    if (source === null) return EXIT.badInput;
    const mode = modeOf(source.skill, asked);
    const { config } = await loadCommandConfig(surroundings, {
      file: options.config,
      beside: dirname(source.path),
    });
    const vars = await readVars(options, surroundings);
    const { withTurnClient } = await import('../queue/with-turn-client.ts');
    return withTurnClient(surroundings, config, options.redis, async (client) => {
      const settings = fanOut === undefined ? {} : { settings: { fanOut } };
      const turnId = await client.submitTurn({
        skillText: source.text,
        file: source.file,
        ...(asked && { mode: asked }),
        vars,
        ...settings,
      });
      if (options.watch !== true) {
        if (terminal.json) terminal.document({ turnId });
        else terminal.out(turnId);
        return EXIT.completed;
      }
      if (!terminal.json) terminal.err(`submitted ${turnId}`);
      const report = await followTurn(client, turnId, context);
      return report === null
        ? printUnwatched(turnId, context)
        : reportTurn(terminal, report, { place: stepPlace(source, report, mode) });
    });
  });
}
