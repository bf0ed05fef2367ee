import { appendFile, copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isRecord } from '../../is-record.ts';
import { writeFiles } from './write-files.ts';
import { type CallStep, type FileStep, isCall, type TranscriptStep } from './transcript.ts';
import type { YieldFolder } from './yield-folder.ts';
import { manifestText, skillText, type YieldWorkspace } from './yield-workspace.ts';

/** Small programs whose sources were not recorded; what they do is to be seen in what was. */
const OWN_SOURCES: Readonly<Record<string, string>> = {
  angle: 'defineSkill((ctx) => ctx.askUser("q", "Is 1 < 2 & 3 > 2?"));',
  throws: 'import { exit } from "node:process"; defineSkill(() => exit(3));',
  prints: 'console.log("debug line"); defineSkill(() => 1);',
};
/** The program that the skills with fixtures run. */
const FIXTURE_PROGRAM = 'drift';
const DRILL = {
  'fixtures/responses.json': '{"go": {"value": "yes"}, "plan": {"steps": 2}}',
  'fixtures/test.json': JSON.stringify({
    version: 1,
    setup: [['sh', '-c', 'echo $YIELD_FIXTURE > setup.txt']],
    after_response: { plan: [['sh', '-c', 'cat > plan.txt']] },
    teardown: [['sh', '-c', 'echo bye > teardown.txt']],
  }),
  'SKILL.md': skillText('drill', 'Golden workflow drill. Use in tests only.'),
};
/** Prints what it was recorded with, as the operation that its run is at. */
const AS_ITS_OWN = `import { readFileSync } from "node:fs";
const { run_id, skill, entries } = JSON.parse(readFileSync(process.env.YIELD_JOURNAL, "utf8"));
process.stdout.write(readFileSync("out.txt", "utf8")
  .replace(/"run_id":\\s*"[^"]*"/, () => '"run_id":' + JSON.stringify(run_id))
  .replace(/"skill":\\s*\\{[^{}]*\\}/, () => '"skill":' + JSON.stringify(skill))
  .replace(/"sequence":\\s*\\d+/, () => '"sequence":' + (entries.length + 1)));
`;

/** How a recorded output is printed: as it is, or with the run, the skill and the sequence that it should name. */
export type RawOutput = 'as recorded' | 'as its own';

/** What the steps before a call say of the skill that it is about. */
interface SkillClues {
  readonly raw?: string;
  readonly manifest?: unknown;
  readonly fixtures?: Readonly<Record<string, string>>;
  /** Python. */
  readonly source?: string;
}

/**
 * Makes the skill that a call is about, from what the recordings say of it. A skill of which they say nothing is an empty folder,
 * and one that was not there when it was called for is not made.
 * @param steps of the scenario
 * @param folder of the skill, absolute
 */
export async function makeSkill(
  steps: readonly TranscriptStep[],
  call: CallStep,
  folder: string,
  { recordings, workspace }: YieldFolder,
  raw: RawOutput,
): Promise<void> {
  if (call.stderr.startsWith('yskill: lstat ') || call.argv[1] === 'init') return;
  const name = basename(folder);
  await mkdir(folder, { recursive: true });
  const write = (files: Readonly<Record<string, string>>): Promise<void> =>
    writeFiles(folder, { 'SKILL.md': skillText(name), ...files });
  const clues = cluesFor(steps, call, name);
  if (clues.raw !== undefined) {
    const program = raw === 'as recorded' ? {} : { 'main.mjs': AS_ITS_OWN };
    const run = raw === 'as recorded' ? ['cat', 'out.txt'] : ['node', 'main.mjs'];
    return write({ 'skill.json': manifestText({ run }), 'out.txt': clues.raw, ...program });
  }
  if (clues.manifest !== undefined) {
    const out = '{"type":"terminal","terminal":{"status":"completed","result":7}}\n';
    return write({ 'skill.json': JSON.stringify(clues.manifest), 'out.json': out });
  }
  if (clues.fixtures !== undefined || name === 'drill') {
    const source = pythonOf(recordings.get(`${FIXTURE_PROGRAM}.py.json`));
    return write({ ...(await pythonFiles(source, workspace)), ...(clues.fixtures ?? DRILL) });
  }
  if (clues.source !== undefined) return write(await pythonFiles(clues.source, workspace));
  const source = typeScriptOf(name, recordings.get(`${name}.ts.json`));
  if (source === null) return;
  await write({ 'skill.json': manifestText({ language: 'typescript', run: ['node', 'main.mjs'] }) });
  await copyFile(await workspace.program(source), join(folder, 'main.mjs'));
}

/** Changes the sources of a skill without changing what it does. */
export async function touchSources(folder: string): Promise<void> {
  const file = await mainOf(folder);
  await appendFile(file, file.endsWith('.py') ? '\n# edited\n' : '\n// edited\n');
}

/** Changes what a program says, wherever it says it. */
export async function rewriteSources(folder: string, before: string, after: string): Promise<void> {
  const file = await mainOf(folder);
  const text = await readFile(file, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not say ${before}`);
  await writeFile(file, text.replaceAll(before, after));
}

async function mainOf(folder: string): Promise<string> {
  for (const name of ['main.mjs', 'main.py']) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null) return join(folder, name);
  }
  throw new Error(`there is no program in ${folder}`);
}

function cluesFor(steps: readonly TranscriptStep[], call: CallStep, name: string): SkillClues {
  const position = steps.indexOf(call);
  const files = steps.filter((step): step is FileStep => !isCall(step));
  const raw = files.find((step) => step.skill === name)?.raw_program_stdout;
  // A file that names no skill is of the call behind it; a source was recorded behind the calls of it.
  const before = steps[position - 1];
  const { skill_json: manifest, fixtures } = (before ?? {}) as FileStep;
  const source = files.find((step) => step.program_source !== undefined)?.program_source;
  return {
    ...(raw === undefined ? {} : { raw }),
    ...(manifest === undefined ? {} : { manifest }),
    ...(fixtures === undefined ? {} : { fixtures }),
    ...(source === undefined ? {} : { source }),
  };
}

function typeScriptOf(name: string, recording: unknown): string | null {
  const source = isRecord(recording) ? recording['program_source'] : undefined;
  if (typeof source === 'string') return source;
  const own = Object.hasOwn(OWN_SOURCES, name) ? OWN_SOURCES[name] : undefined;
  return own === undefined ? null : `import { defineSkill } from "@operatorstack/yield"; ${own}`;
}

function pythonOf(recording: unknown): string {
  const source = isRecord(recording) ? recording['program_source'] : undefined;
  if (typeof source === 'string') return source;
  throw new Error(`the folder has no recording of the program ${FIXTURE_PROGRAM} in Python`);
}

async function pythonFiles(
  source: string,
  workspace: YieldWorkspace,
): Promise<Readonly<Record<string, string>>> {
  return {
    'skill.json': manifestText({ language: 'python', run: ['python', 'main.py'] }),
    'requirements.txt': 'yieldskill==0.2.0\n',
    ...(await workspace.pythonFiles(source)),
  };
}
