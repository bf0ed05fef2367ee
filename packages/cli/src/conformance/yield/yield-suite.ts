import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { isRecord } from '../../is-record.ts';
import { displayPath } from '../../skill/read-file.ts';
import { readCaseJson } from '../read-case-json.ts';
import type { CaseResult } from '../run-case.ts';
import type { Suite } from '../suite.ts';
import { runAgentsRegistry } from './run-agents-registry.ts';
import { runCliTranscripts } from './run-cli-transcripts.ts';
import { runDigestVectors } from './run-digest-vectors.ts';
import { runForeignRecording } from './run-foreign-recording.ts';
import { runSdkEdges } from './run-sdk-edges.ts';
import { runSdkRecording } from './run-sdk-recording.ts';
import { runSkillDigests } from './run-skill-digests.ts';
import { notRun, type RunRecording, type YieldFolder } from './yield-folder.ts';
import { openYieldWorkspace } from './yield-workspace.ts';

/** One file of a folder, ready to be run. */
interface YieldRecording {
  readonly name: string;
  readonly run: () => Promise<readonly CaseResult[]>;
}

interface YieldRecordings {
  readonly files: readonly YieldRecording[];
  /** Removes what was made. */
  readonly close: () => Promise<void>;
}

const RUNS: Readonly<Record<string, RunRecording>> = {
  'sdk-edges.json': runSdkEdges,
  'digest-vectors.json': runDigestVectors,
  'skill-digests.json': runSkillDigests,
  'agents-registry.json': runAgentsRegistry,
  'cli-transcripts.json': runCliTranscripts,
};

/**
 * The suite `yield`: folders of what programs of the protocol and their supervisor did, recorded step by step.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export const runYieldSuite: Suite = async (paths, _options, { surroundings }) => {
  const results: CaseResult[] = [];
  for (const path of paths) {
    const { files, close } = await openYieldRecordings(path, surroundings.cwd);
    try {
      for (const { run } of files) results.push(...(await run()));
    } finally {
      await close();
    }
  }
  return results;
};

/**
 * Reads the recorded files of a folder.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function openYieldRecordings(path: string, cwd: string): Promise<YieldRecordings> {
  const root = resolve(cwd, path);
  const shown = displayPath(path, cwd);
  const recordings = new Map<string, unknown>();
  for (const name of await filesOf(root, shown)) {
    recordings.set(name, await readCaseJson(join(root, name), join(shown, name)));
  }
  const workspace = await openYieldWorkspace();
  const folder: YieldFolder = { recordings, workspace };
  const files = [...recordings].map(([name, recording]): YieldRecording => ({
    name,
    run: async () => {
      const entry = { name, entry: 'all', title: 'the file' };
      const run = runOf(name, recording);
      if (run === undefined) return [notRun(entry, 'this version does not know such a file')];
      try {
        return await run(recording, name, folder);
      } catch (error) {
        const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return [notRun(entry, `it ended in an exception: ${problem}`)];
      }
    },
  }));
  return { files, close: workspace.remove };
}

async function filesOf(root: string, shown: string): Promise<readonly string[]> {
  const details = { file: shown };
  const found = await stat(root).catch((cause: unknown) => {
    throw new SkillyardError('FILE_UNREADABLE', `${shown} cannot be read`, { details, cause });
  });
  const names = found.isDirectory() ? await readdir(root) : [];
  const json = names.filter((name) => name.endsWith('.json')).toSorted();
  if (json.length > 0) return json;
  throw new SkillyardError('INPUT_INVALID', `${shown} is no folder of recordings: JSON files`, { details });
}

function runOf(name: string, recording: unknown): RunRecording | undefined {
  if (Object.hasOwn(RUNS, name)) return RUNS[name];
  if (!isRecord(recording) || !Array.isArray(recording['cases'])) return undefined;
  switch (recording['language']) {
    case 'typescript':
      return runSdkRecording;
    case 'python':
      return async (...given) => [
        ...(await runSdkRecording(...given)),
        ...(await runForeignRecording(...given)),
      ];
    default:
      return runForeignRecording;
  }
}
