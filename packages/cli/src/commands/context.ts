import { parseDurationMs, SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What every command gets. */
export interface CommandContext {
  readonly surroundings: Surroundings;
  readonly terminal: Terminal;
  readonly verbose: boolean;
}

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Does the work of one command. @returns the exit code */
type CommandAction<Options> = (
  context: CommandContext,
  args: readonly string[],
  options: Options & CommonOptions,
) => Promise<number>;

/** Gives a command its common options and its work. */
export type Attach = <Options>(command: Command, action: CommandAction<Options>) => void;

/** A limit of time, and how the user wrote it. */
export interface TimeLimit {
  readonly ms: number;
  readonly text: string;
}

/**
 * Reads `--timeout`.
 * @throws SkillyardError INPUT_INVALID
 */
export function readTimeLimit(text: string | undefined): TimeLimit | undefined {
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  // Timers hold 31 bits of milliseconds: what is longer would fire at once.
  if (ms === undefined || ms === 0 || ms > MAX_TIMER_MS) {
    const message = `--timeout "${text}" is no duration up to 24 days; write one such as 500ms, 30s, 5m or 2h`;
    throw new SkillyardError('INPUT_INVALID', message);
  }
  return { ms, text };
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Gathers the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/**
 * Reads the value of an option that takes one of a few words.
 * @throws SkillyardError INPUT_INVALID
 */
export function readChoice<const Word extends string>(
  option: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined;
  const word = words.find((one) => one === text);
  if (word === undefined) {
    throw new SkillyardError(
      'INPUT_INVALID',
      `${option} "${text}" is unknown; write one of: ${words.join(', ')}`,
    );
  }
  return word;
}
