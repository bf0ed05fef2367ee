import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseResult } from '../run-case.ts';
import { replayScenario } from './replay-scenario.ts';
import { ownPart } from './own-identity.ts';
import { readScenarios, type RecordedTranscripts, type Scenario } from './transcript.ts';
import { TranscriptNames } from './transcript-names.ts';
import type { TranscriptPlay } from './transcript-play.ts';
import type { RawOutput } from './transcript-skills.ts';
import type { RunRecording, YieldFolder } from './yield-folder.ts';

/**
 * Repeats recorded calls of the supervisor, in a folder for each that they were recorded in.
 *
 * Programs whose output was recorded instead of their source ask in the name of no run, which our supervisor refuses. So they are run
 * twice: as they were recorded, and once more (`own`) asking in the name of the run that they are started for.
 */
export const runCliTranscripts: RunRecording = async (recording, name, folder) => {
  const folders = readScenarios(recording as RecordedTranscripts);
  const plays = folders.flatMap((scenarios) => {
    const open = (rawOutput: RawOutput): Promise<TranscriptPlay> =>
      openPlay(JSON.stringify(scenarios), name, folder, rawOutput);
    return [playAll(scenarios, open('as recorded')), playAll(scenarios.map(ownPart), open('as its own'))];
  });
  return (await Promise.all(plays)).flat();
};

/** Repeats the scenarios of one folder: each goes on from what those before have left. */
async function playAll(
  scenarios: readonly Scenario[],
  opened: Promise<TranscriptPlay>,
): Promise<CaseResult[]> {
  const play = await opened;
  const results: CaseResult[] = [];
  for (const scenario of scenarios) results.push(...(await replayScenario(scenario, play)));
  return results;
}

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
