import type { Command } from 'commander';
import type { Attach } from './context.ts';
import { forward } from './forward.ts';

/** `skillyard program`: the supervisor of programs, for who has this command at hand. */
export function addProgram(program: Command, attach: Attach): void {
  const command = program
    .enablePositionalOptions()
    .command('program')
    .summary('run skills that are ordinary programs, and answer what they ask')
    .description(
      'Runs, tests and registers skills that are ordinary programs: the same as skillyard-program. Without a command it says what there is.',
    )
    .argument('[command...]', 'run, respond, test and others, and what stands behind them')
    // Everything behind the word belongs to the supervisor, also what looks like an option of ours.
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions();
  attach(command, async ({ surroundings }, args) => {
    // Loaded when needed: most commands run no program.
    const { runProgram } = await import('@skillyard/program/cli');
    return forward(runProgram, args, surroundings);
  });
}
