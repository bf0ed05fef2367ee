import { type Difference, differences } from '../match.ts';
import type { CaseResult } from '../run-case.ts';
import type { YieldWorkspace } from './yield-workspace.ts';

/** A folder of recordings, as those who run its files see it. */
export interface YieldFolder {
  /** What the files of the folder hold, by their names. */
  readonly recordings: ReadonlyMap<string, unknown>;
  readonly workspace: YieldWorkspace;
}

/** Runs what one file recorded: a result for each of its entries, in their order. */
export type RunRecording = (
  recording: unknown,
  name: string,
  folder: YieldFolder,
) => Promise<readonly CaseResult[]>;

/** What one entry of a file is. */
export interface Entry {
  readonly name: string;
  /** Which of the file: `air/2`, or its name. */
  readonly entry: string;
  readonly title: string;
}

/**
 * Why a reply that differs from the recorded one is right all the same.
 * @returns null when it is not
 */
export type CorrectionOf = (found: readonly Difference[]) => string | null;

/** Compares one entry; a difference that is a correction passes and says so. */
export function judge(
  entry: Entry,
  recorded: unknown,
  actual: unknown,
  correctionOf: CorrectionOf = () => null,
): CaseResult {
  const found = compareJson(recorded, actual);
  const passed = { ...headOf(entry), problem: null };
  if (found.length === 0) return { ...passed, differences: [] };
  const correction = correctionOf(found);
  return correction === null ? { ...passed, differences: found } : { ...passed, differences: [], correction };
}

/** An entry that could not be run. */
export function notRun(entry: Entry, problem: string): CaseResult {
  return { ...headOf(entry), differences: [], problem };
}

function headOf({ name, entry, title }: Entry): Pick<CaseResult, 'id' | 'op' | 'title'> {
  return { id: `${name}#${entry}`, op: 'yield', title };
}

/** Every difference of two JSON values; the order of keys is one too, for digests are made over it. */
function compareJson(recorded: unknown, actual: unknown): Difference[] {
  const found = differences(recorded, actual);
  if (found.length > 0) return found;
  const [expected, got] = [JSON.stringify(recorded), JSON.stringify(actual)];
  return expected === got ? [] : [{ path: '', expected, actual: got }];
}

/** What a process printed: the value of its JSON where it is such, the text itself otherwise. */
export function printed(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * The value of a JSON text with its numbers as they are written, `1.0` as `#1.0`: numbers of JavaScript would make one of two.
 * A text that is no JSON is its own value.
 */
export function readExact(text: string): unknown {
  return printed(
    text.replaceAll(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"#${token}"`)),
  );
}
