import type { Handshake } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** What stands on the command line: words, then flags. */
export interface Arguments {
  /** The words before the first flag. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly wantsHelp: boolean;
}

/** By name, without the dashes. What is not given is not there. */
export type Flags = ReadonlyMap<string, string>;

/** The one flag that has no value. */
const SUBAGENT = 'subagent';

/**
 * Takes the command line apart. A flag takes the next token as its value, whatever that looks like; of two the last counts; one
 * without a value, words after the first flag and unknown flags are passed over.
 */
export function parseArguments(argv: readonly string[]): Arguments {
  const words: string[] = [];
  const flags = new Map<string, string>();
  let index = 0;
  while (index < argv.length) {
    const token = argv[index] ?? '';
    index += 1;
    if (!token.startsWith('--')) {
      if (flags.size === 0) words.push(token);
      continue;
    }
    const name = token.slice(2);
    if (name === SUBAGENT) {
      flags.set(name, '');
      continue;
    }
    const value = argv[index];
    index += 1;
    if (value !== undefined) flags.set(name, value);
  }
  return { words, flags, wantsHelp: argv.includes('--help') || argv.includes('-h') };
}

/**
 * The JSON of a flag.
 * @returns undefined when it is not given
 * @throws KitError PROTOCOL
 */
export function jsonFlag(flags: Flags, name: string): unknown {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new KitError('PROTOCOL', `--${name} is no JSON: ${(error as SyntaxError).message}`, {
      cause: error,
    });
  }
}

export function handshakeOf(flags: Flags): Handshake {
  return {
    host: flags.get('host') ?? 'generic',
    toolsAvailable: (flags.get('tools') ?? '')
      .split(',')
      .map((tool) => tool.trim())
      .filter((tool) => tool !== ''),
    isSubagent: flags.has(SUBAGENT),
  };
}
