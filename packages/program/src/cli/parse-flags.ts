import { ProgramError } from '../program-error.ts';

/** The flags of a verb by their names without dashes: `text` takes a value, `switch` does not. */
export type FlagKinds = Readonly<Record<string, 'text' | 'switch'>>;

/** The flags that were given. A flag that is given twice has its last value. */
export class Flags {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #switches: ReadonlySet<string>;

  constructor(texts: ReadonlyMap<string, string>, switches: ReadonlySet<string>) {
    this.#texts = texts;
    this.#switches = switches;
  }

  /** The value of a flag; undefined: it was not given. */
  text(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** Whether a switch was given. */
  on(name: string): boolean {
    return this.#switches.has(name);
  }
}

/**
 * Reads what stands behind a verb. Flags and words may be mixed; `--flag value` and `--flag=value` are the same, a single dash does
 * too, and behind `--` everything is a word. A value is taken as it is, so it may begin with a dash.
 * @throws ProgramError USAGE for a flag that there is not, a value that is missing, or one that a switch was given
 */
export function parseFlags(
  args: readonly string[],
  kinds: FlagKinds,
): { readonly words: readonly string[]; readonly flags: Flags } {
  const words: string[] = [];
  const texts = new Map<string, string>();
  const switches = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      words.push(...args.slice(index + 1));
      break;
    }
    const parts = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(arg);
    if (parts === null) {
      words.push(arg);
      continue;
    }
    const name = parts[1] ?? '';
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw new ProgramError('USAGE', `flag provided but not defined: -${name}`);
    if (kind === 'switch') {
      if (parts[2] !== undefined)
        throw new ProgramError('USAGE', `--${name} takes no value: write it alone or leave it out`);
      switches.add(name);
      continue;
    }
    const value = parts[2] ?? args[(index += 1)];
    if (value === undefined) throw new ProgramError('USAGE', `flag needs an argument: -${name}`);
    texts.set(name, value);
  }
  return { words, flags: new Flags(texts, switches) };
}
