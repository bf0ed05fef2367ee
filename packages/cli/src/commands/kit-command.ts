import type { Command } from 'commander';
import type { Attach } from './context.ts';
import { forward } from './forward.ts';

/** `skillyard kit`: the command of the kit, for who has this one at hand. */
export function addKit(program: Command, attach: Attach): void {
  const command = program
    .command('kit')
    .summary('build and check skills written in TypeScript')
    .description(
      'Builds, checks and runs skills written in TypeScript: the same as skillyard-kit. Without a command it says what there is.',
    )
    .argument('[command...]', 'build, check, run or dev, and what stands behind it')
    // Everything behind the word belongs to the kit, and to the skill behind that.
    .helpOption(false)
    .allowUnknownOption();
  attach(command, async ({ surroundings }, args) => {
    // Loaded when needed: most commands build nothing.
    const { runKit } = await import('@skillyard/kit/build');
    return forward(runKit, args, surroundings);
  });
}
