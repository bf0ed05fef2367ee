import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseResult } from '../run-case.ts';
import { replayScenario } from './replay-scenario.ts';
import { ownPart } from './own-identity.ts';
import { readScenarios, type RecordedTranscripts } from './transcript.ts';
import { TranscriptNames } from './transcript-names.ts';
import type { TranscriptPlay } from './transcript-play.ts';
import type { RawOutput } from './transcript-skills.ts';
import type { RunRecording, YieldFolder } from './yield-folder.ts';

/**
 * Repeats recorded calls of the supervisor, one after the other, in a folder for each that they were recorded in.
 *
 * Programs whose output was recorded instead of their source ask in the name of no run, which our supervisor refuses. So they are run
 * twice: as they were recorded, and once more (`own`) asking in the name of the run that they are started for.
 */
export const runCliTranscripts: RunRecording = async (recording, name, folder) => {
  const results: CaseResult[] = [];
  for (const scenarios of readScenarios(recording as RecordedTranscripts)) {
    const text = JSON.stringify(scenarios);
    const play = await openPlay(text, name, folder, 'as recorded');
    for (const scenario of scenarios) results.push(...(await replayScenario(scenario, play)));
    const own = await openPlay(text, name, folder, 'as its own');
    for (const scenario of scenarios.map(ownPart)) results.push(...(await replayScenario(scenario, own)));
  }
  return results;
};

async function openPlay(
  text: string,
  name: string,
  folder: YieldFolder,
  rawOutput: RawOutput,
): Promise<TranscriptPlay> {
  const root = await folder.workspace.folder();
  const home = join(root, 'home');
  for (const made of [join(root, 'repo', '.git'), home]) await mkdir(made, { recursive: true });
  return {
    name,
    folder,
    rawOutput,
    env: { HOME: home, PATH: await folder.workspace.path() },
    names: new TranscriptNames(root, text),
    skills: new Set(),
    memories: new Map(),
    foreignAdapters: [],
    inspected: new Map(),
  };
}
