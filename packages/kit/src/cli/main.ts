import type { Buildable } from '../definition/skill-definition.ts';
import type { CliIo } from './cli-io.ts';

/**
 * The command line of a built skill: workflow, composite or reference.
 * @returns the exit code
 */
export async function runCli(_definition: Buildable, _io: CliIo): Promise<number> {
  await Promise.resolve();
  throw new Error('not yet');
}

/** Runs the command line in this process and ends it. */
export async function main(_definition: Buildable): Promise<void> {
  await Promise.resolve();
  throw new Error('not yet');
}
