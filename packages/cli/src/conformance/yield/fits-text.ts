/**
 * Compares what the two supervisors said to people.
 *
 * F1 Names of products are their own: `yskill`, `Yield` and their package there, ours here.
 * F2 The words of a library or of the system are their own, too: a validator of schemas, a reader of JSON, the file system. What they
 *    are about is named all the same, where they name it.
 * F3 A line that says what to do, `hint: ...`, is ours: it stands behind the words of the original, and they are the same without it.
 * F4 Everything else is the same, to the letter.
 */

/** Stands for words of whoever says them. */
export const WORDS = '<words>';

interface ForeignWords {
  readonly said: RegExp;
  /** What is expected instead; groups of what was said may be named. */
  readonly expected: string;
}

const FOREIGN: readonly ForeignWords[] = [
  { said: /jsonschema validation failed with [\s\S]*$/, expected: WORDS },
  { said: /output schema does not compile: [\s\S]*$/, expected: `output schema does not compile: ${WORDS}` },
  { said: /invalid character [\s\S]*$/, expected: WORDS },
  { said: /unexpected end of JSON input$/, expected: WORDS },
  { said: /json: [\s\S]*$/, expected: WORDS },
  { said: /\bEOF$/, expected: WORDS },
  { said: /(?:open|lstat) (\S+): no such file or directory$/, expected: `${WORDS}$1${WORDS}` },
  { said: /\nUsage of \w+:[\s\S]*$/, expected: `\nUsage${WORDS}` },
  { said: /yskill — run and resume skill workflows[\s\S]*$/, expected: WORDS },
];

const HINT = /\n *hint: [^\n]*/g;

/** Whether a text is the recorded one, by F1 to F4. */
export function fitsText(recorded: string, actual: string): boolean {
  if (recorded === actual) return true;
  const [expected, got] = [recorded, actual.replaceAll(HINT, '')].map((text) => withProducts(text.trimEnd()));
  const pattern = FOREIGN.reduce(
    (text, { said, expected: words }) => text.replace(said, words),
    expected ?? '',
  );
  const parts = pattern.split(WORDS).map((part) => literally(part));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(got ?? '');
}

/** A text in which our names stand where those of the original do. */
function withProducts(text: string): string {
  return text.replaceAll(/skillyard[- ]program|python -m yieldskill/g, 'yskill');
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
