import { readFile, writeFile } from 'node:fs/promises';
import { compactJson, membersOf } from '@skillyard/program/supervisor';
import { isLog } from './transcript.ts';
import { logFile, logLines } from './transcript-run.ts';
import type { Place } from './transcript-unshown.ts';

/** Puts a log back as it was. */
type Undo = () => Promise<void>;

/**
 * Changes the log of a run as it must have been changed before a call was recorded: a line that is missing, a last line that is torn,
 * a request that is another one. The first two were undone again behind the call; the last shows in the log that was recorded.
 */
export async function tamperWithLog(place: Place): Promise<Undo> {
  const { call, skill, run } = place;
  if (skill === null || run === null) return async () => undefined;
  const file = logFile(skill, run);
  const change = async (edit: (lines: string[]) => readonly string[]): Promise<Undo> => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, edit(text.trimEnd().split('\n')).join('\n'));
    return async () => writeFile(file, text);
  };
  const missing = /run log sequence broken at line (\d+)/.exec(call.stderr)?.[1];
  if (missing !== undefined) return change((lines) => lines.toSpliced(Number(missing) - 1, 1));
  const torn = /corrupt run log at line (\d+): unexpected end/.exec(call.stderr)?.[1];
  if (torn !== undefined) {
    return change((lines) =>
      lines.map((line, index) => (index === Number(torn) - 1 ? line.slice(0, -20) : line)),
    );
  }
  const diverged = /replay diverged at sequence (\d+)/.exec(call.stderr)?.[1];
  if (call.argv[1] === 'replay' && diverged !== undefined) await rewriteRequest(place, diverged, skill, run);
  return async () => undefined;
}

/** Gives the request of a place in a log the text that was recorded of it. */
async function rewriteRequest(
  { steps, call }: Place,
  sequence: string,
  skill: string,
  run: string,
): Promise<void> {
  const recorded = steps.slice(steps.indexOf(call)).find(isLog)?.run_log ?? [];
  const lines = await logLines(skill, run);
  const rewritten = lines.map((line, index) => {
    const [own, other] = [requestOf(line, sequence), requestOf(recorded[index] ?? '{}', sequence)];
    return own === undefined || other === undefined ? line : line.replace(own, () => other);
  });
  await writeFile(logFile(skill, run), `${rewritten.join('\n')}\n`);
}

/** The text of the request of a line, when it is the one of that place. */
function requestOf(line: string, sequence: string): string | undefined {
  const data = new Map(membersOf(new Map(membersOf(compactJson(line))).get('data') ?? '{}'));
  return data.get('sequence') === sequence ? data.get('request') : undefined;
}
