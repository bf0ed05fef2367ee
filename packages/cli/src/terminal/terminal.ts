import pc from 'picocolors';
import type { OutputStream, Surroundings } from '../surroundings.ts';

/** The functions that colour a text; they leave it as it is where colours are off. */
export type Colors = ReturnType<typeof pc.createColors>;

/**
 * Where a command writes. Answers and documents go to `out`, everything that tells how it went to `err`, so that
 * `skillyard run skill.yaml > answer.txt` keeps just the answer.
 */
export interface Terminal {
  /** `--json`: one document on `out`, and only failures on `err`. */
  readonly json: boolean;
  readonly colors: Colors;
  /** Whether lines already written may be replaced: a person looks at `err`. */
  readonly live: boolean;
  readonly columns: number;
  /** Writes a text and a line end, unless the text has one. */
  out(text: string): void;
  /** Writes a text of unknown origin to `out`: to a pipe as it is, to a screen without what could take it over. */
  answer(text: string): void;
  err(text: string): void;
  /** Writes to `err` as it is, for cursor movements. */
  raw(text: string): void;
  /** Writes one JSON document to `out`. */
  document(value: unknown): void;
}

/** Sets up the terminal of one command. */
export function createTerminal(surroundings: Surroundings, options: { json: boolean }): Terminal {
  const { stdout, stderr, env } = surroundings;
  const dumb = env['TERM'] === 'dumb';
  return {
    json: options.json,
    colors: pc.createColors(wantsColors(stderr, env)),
    live: stderr.isTTY === true && !dumb && !options.json && !env['CI'],
    // Zero in a pseudo-terminal that nobody has sized.
    columns: stderr.columns || 100,
    out: (text) => writeLine(stdout, text),
    answer: (text) =>
      writeLine(stdout, stdout.isTTY === true ? text.replace(UNPRINTABLE_IN_TEXT, ' ') : text),
    err: (text) => writeLine(stderr, text),
    raw: (text) => void stderr.write(text),
    document: (value) =>
      writeLine(stdout, JSON.stringify(value, null, stdout.isTTY === true ? 2 : undefined)),
  };
}

/** https://no-color.org: any value that is not empty switches colours off. */
function wantsColors(stream: OutputStream, env: Surroundings['env']): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

function writeLine(stream: OutputStream, text: string): void {
  stream.write(text.endsWith('\n') ? text : `${text}\n`);
}

// Everything that moves a cursor, rings a bell or hides text: C0 and C1 controls and the bidirectional overrides.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g;
/** The same without tabs and line ends. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE_IN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g;

/** One harmless line of a text that a skill, model or tool wrote. */
export function oneLine(text: string, maxLength = 200): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}
