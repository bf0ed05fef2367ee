import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CaseResult } from '../run-case.ts';
import { fitsText, WORDS } from './fits-text.ts';
import type { FileStep } from './transcript.ts';
import type { ScenarioState, TranscriptPlay } from './transcript-play.ts';
import { runsFolder, runsOf } from './transcript-run.ts';
import { type Entry, judge, printed } from './yield-folder.ts';
import { PYTHON_SDK } from './yield-workspace.ts';

/** Looks at what the calls before have left, where that was recorded. */
export async function lookAtFiles(
  entry: Entry,
  step: FileStep,
  play: TranscriptPlay,
  { skill }: ScenarioState,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  const { files, tree, runs_left: left, kept_runs: kept, files_in_runs: inRuns, file, content } = step;
  if (files !== undefined) results.push(compareFiles(entry, files, await textsOf(skill, files)));
  if (tree !== undefined)
    results.push(compareTree(entry, tree, await textsOf(skill, { ...tree, [PYTHON_SDK]: '' })));
  if (left !== undefined) {
    const there = (await runsOf(skill)).some((run) => !play.memories.has(run));
    results.push(judge({ ...entry, entry: `${entry.entry}/runs` }, left, there));
  }
  if (kept !== undefined) results.push(judge(entry, kept, (await runsOf(skill)).length));
  if (inRuns !== undefined) results.push(await compareRunFiles(entry, inRuns, skill));
  if (file !== undefined && content !== undefined) {
    const path = play.names.resolve(join('<root>/repo', file));
    const text = play.names.nameAll(await readFile(path, 'utf8'), content);
    results.push(judge(entry, content, fitsText(`${content}${WORDS}`, text) ? content : text));
  }
  return results;
}

/** What we keep beside a log, from the beginning of a run. */
const OWN_KINDS = new Set(['.input', '.lock']);

type Texts = Readonly<Record<string, string | null>>;

/** The same files below a folder; null where there is none. */
async function textsOf(folder: string, files: Texts): Promise<Texts> {
  const texts = Object.keys(files).map(async (path) => {
    const text = await readFile(join(folder, path), 'utf8').catch(() => null);
    return [path, text] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

function compareFiles(entry: Entry, recorded: Texts, actual: Texts): CaseResult {
  return judge(entry, recorded, actual, () => {
    const areSame = Object.entries(recorded).every(([path, text]) =>
      isDeepStrictEqual(printed(text ?? ''), printed(actual[path] ?? '')),
    );
    return areSame ? 'what is handed on of an answer is its compact text' : null;
  });
}

/** A skill that was begun: one in Python has no package to require, but its SDK in a file. */
function compareTree(
  entry: Entry,
  recorded: Texts,
  { [PYTHON_SDK]: sdk = null, ...actual }: Texts,
): CaseResult {
  const isPackaged = recorded['requirements.txt']?.startsWith('yieldskill==') === true;
  if (!isPackaged) return judge(entry, recorded, actual);
  const manifest = recorded['skill.json']?.replace('["python",', '["python3",') ?? null;
  const expected = { ...recorded, 'requirements.txt': null, 'skill.json': manifest };
  const result = judge(entry, { ...expected, sdk: true }, { ...actual, sdk: sdk !== null });
  const correction = 'a skill in Python has its SDK in a file beside it, since there is no package';
  return result.differences.length > 0 ? result : { ...result, correction };
}

/** Files of runs by their kinds. */
async function compareRunFiles(
  entry: Entry,
  recorded: readonly string[],
  skill: string,
): Promise<CaseResult> {
  const names = await readdir(runsFolder(skill));
  const kinds = (all: readonly string[]): readonly string[] =>
    [...new Set(all.map((name) => name.replace(/^[^.]*/, '')))].toSorted();
  return judge(entry, kinds(recorded), kinds(names), () => {
    const others = kinds(names).filter(
      (kind) => !OWN_KINDS.has(kind) || recorded.some((name) => name.endsWith(kind)),
    );
    return isDeepStrictEqual(others, kinds(recorded))
      ? 'the input is kept for the program, and a run is locked from its beginning'
      : null;
  });
}
