import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { isRecord } from '../../is-record.ts';
import { displayPath } from '../../skill/read-file.ts';
import type { Suite } from '../suite.ts';
import { readCaseJson } from '../read-case-json.ts';
import type { CaseResult } from '../run-case.ts';
import { type KitFolder, notRun, type RunRecording } from './kit-folder.ts';
import { openKitWorkspace } from './kit-workspace.ts';
import { readDefectTags } from './read-index.ts';
import { runBuildOutputs } from './run-build-outputs.ts';
import { runBuilderErrors } from './run-builder-errors.ts';
import { runCheckDiagnostics } from './run-check-diagnostics.ts';
import { runCliEdge } from './run-cli-edge.ts';
import { type CliTranscript, runCliTranscript } from './run-cli-transcript.ts';
import { runCycleGuard } from './run-cycle-guard.ts';
import { runDevCli } from './run-dev-cli.ts';
import { runHostRegistry } from './run-host-registry.ts';
import { type McpTranscript, runMcpTranscript } from './run-mcp-transcript.ts';
import { runObservers, runObserversRedirect } from './run-observers.ts';
import { runPrimitiveValidation } from './run-primitive-validation.ts';
import { runRenderHelpers } from './run-render-helpers.ts';
import { runSaveSemantics } from './run-save-semantics.ts';
import { runTestingKit } from './run-testing-kit.ts';
import { runTypeAssertions } from './run-type-assertions.ts';

/** One file of a folder, ready to be run. */
interface KitRecording {
  /** As the index of the folder names it. */
  readonly name: string;
  readonly run: () => Promise<readonly CaseResult[]>;
}

interface KitRecordings {
  readonly files: readonly KitRecording[];
  /** Removes what was built. */
  readonly close: () => Promise<void>;
}

const RUNS: Readonly<Record<string, RunRecording>> = {
  'render-helpers.json': runRenderHelpers,
  'primitive-validation.json': runPrimitiveValidation,
  'builder-errors.json': runBuilderErrors,
  'cycle-guard.json': runCycleGuard,
  'observers.json': runObservers,
  'observers-redirect.json': runObserversRedirect,
  'save-semantics.json': runSaveSemantics,
  'host-registry.json': runHostRegistry,
  'build-outputs.json': runBuildOutputs,
  'check-diagnostics.json': runCheckDiagnostics,
  'dev-cli.json': runDevCli,
  'cli-edge.json': runCliEdge,
};
/** Has runs of skills whose params stand in the transcripts. */
const TESTING_KIT = 'testing-kit.json';

/**
 * The suite `kit`: folders of what skills of the kit did, recorded call by call.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export const runKitSuite: Suite = async (paths, _options, { surroundings }) => {
  const results: CaseResult[] = [];
  for (const path of paths) {
    const { files, close } = await openKitRecordings(path, surroundings.cwd);
    try {
      // Most of the time goes into starting processes, one after another.
      const few = availableParallelism();
      for (let first = 0; first < files.length; first += few) {
        const runs = files.slice(first, first + few).map(({ run }) => run());
        results.push(...(await Promise.all(runs)).flat());
      }
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
export async function openKitRecordings(path: string, cwd: string): Promise<KitRecordings> {
  const root = resolve(cwd, path);
  const shown = displayPath(path, cwd);
  const details = { file: shown };
  const found = await stat(join(root, 'skills')).catch((cause: unknown) => {
    const message = `${shown} holds no recordings of the kit: it must be a folder with skills/ in it`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details, cause });
  });
  if (!found.isDirectory()) {
    throw new SkillyardError('INPUT_INVALID', `skills of ${shown} is no folder`, { details });
  }
  const names = await filesOf(root);
  const recordings = new Map<string, unknown>();
  for (const name of names) {
    if (name.endsWith('.json')) recordings.set(name, await readCaseJson(join(root, name), join(shown, name)));
  }
  const folder: KitFolder = {
    root,
    tags: await readDefectTags(root),
    workspace: await openKitWorkspace(root),
  };
  const files = names.map((name): KitRecording => ({
    name,
    run: async () => {
      try {
        return await runFile(name, recordings, folder);
      } catch (error) {
        const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return [notRun({ name, entry: 'all', title: 'the file' }, `it ended in an exception: ${problem}`)];
      }
    },
  }));
  return { files, close: folder.workspace.remove };
}

async function filesOf(root: string): Promise<string[]> {
  const here = await readdir(root, { withFileTypes: true });
  const json = here.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name);
  const below = await Promise.all(
    ['transcripts', 'types'].map(async (folder) => {
      const names = await readdir(join(root, folder)).catch((): string[] => []);
      return names.map((name) => join(folder, name));
    }),
  );
  return [...json, ...below.flat()].toSorted();
}

async function runFile(
  name: string,
  recordings: ReadonlyMap<string, unknown>,
  folder: KitFolder,
): Promise<readonly CaseResult[]> {
  if (name.startsWith('types/')) return runTypeAssertions(join(folder.root, name), name, folder);
  const recording = recordings.get(name);
  if (isTranscript(recording)) {
    const scenario = name.replace('transcripts/', '').replace(/\.json$/, '');
    return isMcp(recording)
      ? runMcpTranscript(recording, scenario, folder)
      : runCliTranscript(recording, scenario, folder);
  }
  if (name === TESTING_KIT) {
    const transcripts = [...recordings.values()].filter(isTranscript).filter((one) => !isMcp(one));
    return runTestingKit(recording, name, { ...folder, transcripts: transcripts as CliTranscript[] });
  }
  const run = Object.hasOwn(RUNS, name) ? RUNS[name] : undefined;
  if (run === undefined) {
    return [notRun({ name, entry: 'all', title: 'the file' }, 'this version does not know such a file')];
  }
  return run(recording, name, folder);
}

function isTranscript(value: unknown): value is CliTranscript | McpTranscript {
  return isRecord(value) && typeof value['transport'] === 'string' && Array.isArray(value['calls']);
}

function isMcp(transcript: CliTranscript | McpTranscript): transcript is McpTranscript {
  return transcript.transport.startsWith('mcp');
}
