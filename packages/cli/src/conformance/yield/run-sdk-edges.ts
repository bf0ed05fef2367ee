import { join } from 'node:path';
import type { CaseResult } from '../run-case.ts';
import { isAdmissible } from './admission.ts';
import { inTurns } from './in-turns.ts';
import { admission } from './run-foreign-recording.ts';
import { type Ran, sdkCorrection } from './sdk-corrections.ts';
import { type Entry, judge, notRun, printed, type RunRecording, type YieldFolder } from './yield-folder.ts';
import type { ProgramStart } from './yield-workspace.ts';

interface SdkEdge {
  readonly name: string;
  readonly language: string;
  /** null: a program that returns nothing. */
  readonly program_source: string | null;
  readonly journal?: unknown;
  /** What lay in the working folder, and what was set. */
  readonly note?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
}

const RETURNS_NOTHING: Readonly<Record<string, string>> = {
  typescript: 'import { defineSkill } from "@operatorstack/yield"; defineSkill(() => {});',
  python: 'from yieldskill import define_skill\ndefine_skill(lambda ctx: None)\n',
};
const EMPTY_JOURNAL = JSON.stringify({
  run_id: 'run_1700000000_abcdef0123',
  skill: { name: 'edge', digest: `sha256:${'d'.repeat(64)}` },
  entries: [],
});
const NOTED_MANIFEST = /^skill\.json in the working directory: (.*) ; env (\{.*\})$/s;

/** Runs recorded edges of SDKs with ours for the same language; also, whether our supervisor admits what they printed. */
export const runSdkEdges: RunRecording = async (recording, name, folder) => {
  const { cases } = recording as { readonly cases: readonly SdkEdge[] };
  const results = await inTurns(cases, async (edge) => {
    const entry = { name, entry: `${edge.language}/${edge.name}`, title: edge.note ?? edge.name };
    return [
      await runEdge(edge, entry, folder),
      admitEdge(edge, { ...entry, entry: `${entry.entry}/admission` }),
    ];
  });
  return results.flat();
};

async function runEdge(edge: SdkEdge, entry: Entry, { workspace }: YieldFolder): Promise<CaseResult> {
  const start = startOf(edge, await workspace.folder());
  const source = edge.program_source ?? RETURNS_NOTHING[edge.language];
  if (start === null || source === undefined) {
    return notRun(entry, 'this version does not know how such a program was started');
  }
  const { exit, stdout, stderr } = await workspace.run(await workspace.program(source), start);
  const recorded = { exit_code: edge.exit_code, stdout: printed(edge.stdout), stderr: edge.stderr };
  const actual = { exit_code: exit, stdout: printed(stdout), stderr };
  const ran: Ran = { source, journal: edge.journal, recorded, actual };
  return judge(entry, recorded, actual, (found) => sdkCorrection(found, ran));
}

/** null: it was not recorded in a way that is known here. */
function startOf(edge: SdkEdge, empty: string): ProgramStart | null {
  if (edge.journal !== undefined && edge.journal !== null) return { journal: JSON.stringify(edge.journal) };
  const [, manifest, env] = NOTED_MANIFEST.exec(edge.note ?? '') ?? [];
  if (manifest !== undefined) {
    return { journal: EMPTY_JOURNAL, manifest, env: JSON.parse(env ?? '{}') as Record<string, string> };
  }
  const starts: Readonly<Record<string, ProgramStart>> = {
    'journal-env-unset': {},
    'journal-env-empty': { env: { YIELD_JOURNAL: '' } },
    'journal-file-missing': { journalFile: join(empty, 'none.json') },
    'journal-not-json': { journal: '{not json' },
  };
  return Object.hasOwn(starts, edge.name) ? (starts[edge.name] ?? null) : null;
}

/** A program that fails prints nothing that a supervisor would read. */
function admitEdge(edge: SdkEdge, entry: Entry): CaseResult {
  if (edge.exit_code !== 0) return judge(entry, '', edge.stdout);
  return judge(entry, isAdmissible(printed(edge.stdout)), admission(edge.stdout).admitted);
}
