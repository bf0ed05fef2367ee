import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import process from 'node:process';
import { SUPERVISOR_VERSION } from '@skillyard/program/supervisor';
import { type Ended, runProcess } from '../run-process.ts';
import { callProgram } from './call-program.ts';
import { writeFiles } from './write-files.ts';

/** The imports of recorded programs; our SDKs have the same operations under the same names. */
const IMPORT = /import\s*\{\s*defineSkill\s*\}\s*from\s*(["'])@operatorstack\/yield\1/;
const OWN_IMPORT = 'import { main as defineSkill } from "@skillyard/program"';
const PYTHON_IMPORT = /^from yieldskill import define_skill$/m;
const OWN_PYTHON_IMPORT = 'from skillprogram import define_skill';

/** The file of our SDK for Python. */
export const PYTHON_SDK = 'skillprogram.py';

/** With what a program is started besides its own file. */
export interface ProgramStart {
  /** The text of its journal; absent: the variable is not set. */
  readonly journal?: string;
  /** Names the journal instead of a text. */
  readonly journalFile?: string;
  /** Of its working folder; absent: there is none. */
  readonly manifest?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder for what recordings are repeated with. */
export interface YieldWorkspace {
  /** A new empty folder. */
  readonly folder: () => Promise<string>;
  /** The file of a recorded program, bundled with our SDK or beside it. Made once, however many ask. */
  readonly program: (source: string) => Promise<string>;
  /** Files of a recorded Python program with our SDK, by their names: `main.py` and what it imports. */
  readonly pythonFiles: (source: string) => Promise<Readonly<Record<string, string>>>;
  /** Runs the file of a program in a new folder. */
  readonly run: (program: string, start: ProgramStart) => Promise<Ended>;
  /** A PATH with Node, Python and the tools of the system, and with no coding agent that a machine may have. */
  readonly path: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** Makes the folder. */
export async function openYieldWorkspace(): Promise<YieldWorkspace> {
  // The real path: error messages name files by it.
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-yield-')));
  const programs = new Map<string, Promise<string>>();
  let folders = 0;
  let path: Promise<string> | undefined;
  let sdk: Promise<string> | undefined;
  const folder = async (): Promise<string> => {
    folders += 1;
    const made = join(dir, `program-${folders}`);
    await mkdir(made);
    return made;
  };
  const findPath = (): Promise<string> => (path ??= openPath(join(dir, 'bin')));
  // Where a skill is begun in Python, the SDK is put beside it.
  const findSdk = async (): Promise<string> => {
    const begun = await folder();
    const about = ['--language', 'python', '--description', 'Use in tests only.'];
    const { exit, stderr } = await callProgram(['init', begun, ...about], { cwd: dir });
    if (exit !== 0) throw new Error(`there is no SDK for Python: ${stderr}`);
    return readFile(join(begun, PYTHON_SDK), 'utf8');
  };
  const pythonFiles = async (source: string): Promise<Readonly<Record<string, string>>> => ({
    'main.py': source.replace(PYTHON_IMPORT, OWN_PYTHON_IMPORT),
    [PYTHON_SDK]: await (sdk ??= findSdk()),
  });
  const build = async (source: string): Promise<string> => {
    const made = await folder();
    if (PYTHON_IMPORT.test(source)) {
      await writeFiles(made, await pythonFiles(source));
      return join(made, 'main.py');
    }
    await writeFile(join(made, 'SKILL.md'), skillText(basename(made)));
    await writeFile(join(made, 'skill.json'), manifestText({ run: ['node', 'main.mjs'], source: 'main.ts' }));
    await writeFile(join(made, 'main.ts'), ownSource(source));
    const { exit, stderr } = await callProgram(['build', made], { cwd: dir });
    if (exit !== 0) throw new Error(`a recorded program cannot be built: ${stderr}`);
    return join(made, 'main.mjs');
  };
  return {
    folder,
    program: (source) => {
      const made = programs.get(source) ?? build(source);
      programs.set(source, made);
      return made;
    },
    run: async (program, { journal, journalFile, manifest, env = {} }) => {
      const made = await folder();
      if (manifest !== undefined) await writeFile(join(made, 'skill.json'), manifest);
      const file = journalFile ?? join(made, 'journal.json');
      if (journal !== undefined) await writeFile(file, journal);
      const isNamed = journal !== undefined || journalFile !== undefined;
      return runProcess(program.endsWith('.py') ? 'python3' : 'node', [program], made, {
        PATH: await findPath(),
        ...(isNamed ? { YIELD_JOURNAL: file } : {}),
        ...env,
      });
    },
    pythonFiles,
    path: findPath,
    remove: async () => rm(dir, { recursive: true, force: true }),
  };
}

/** @throws Error when there is no Python: programs in it were recorded, too */
async function openPath(bin: string): Promise<string> {
  const { stdout, exit } = await runProcess('python3', ['-c', 'import sys; print(sys.executable)'], tmpdir());
  if (exit !== 0)
    throw new Error('the suite needs python3 on the PATH, for programs that were recorded in Python');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  for (const name of ['python', 'python3']) await symlink(stdout.trim(), join(bin, name));
  return [bin, '/usr/bin', '/bin'].join(delimiter);
}

/**
 * A recorded program that imports our SDK.
 * @throws Error when it does not import the one that it was recorded with
 */
function ownSource(source: string): string {
  if (!IMPORT.test(source)) throw new Error('the program does not import defineSkill');
  return source.replace(IMPORT, OWN_IMPORT);
}

/** A SKILL.md that all verbs accept. */
export function skillText(name: string, description = 'A recorded skill. Use in tests only.'): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\nA recorded skill.\n`;
}

/** A skill.json for this supervisor. */
export function manifestText(keys: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ version: 1, yield_version: SUPERVISOR_VERSION, ...keys })}\n`;
}
