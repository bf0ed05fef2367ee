import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { describeStderr } from './describe-stderr.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';
import { type Ended, runProcess } from '../run-process.ts';

interface RecordedCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly comment: string;
  readonly exit_code: number;
  /** `<prompt step=sip>` is a result of which only that is compared. */
  readonly stdout: string;
  readonly stderr: unknown;
}

/** What was seen of the files after the call before. */
interface Observed {
  readonly observed: Readonly<Record<string, unknown>>;
}

/** The file beside the sessions that an id must not lead to. */
const VICTIM = 'victim.jsonl';

/** Runs the recorded edges of a built skill's command line, and looks at the files they leave. */
export async function runCliEdge(recording: unknown, name: string, folder: KitFolder): Promise<CaseResult[]> {
  const entries = recording as readonly (RecordedCall | Observed)[];
  const skill = folder.workspace.skills.find((one) => JSON.stringify(entries).includes(`"${one}"`));
  if (skill === undefined) {
    return [notRun({ name, entry: '0', title: 'all' }, 'no message in it names a skill of the folder')];
  }
  const { dir } = await folder.workspace.built(skill);
  const work = await folder.workspace.folder();
  const temp = join(work, 'td');
  await mkdir(temp);
  const results: CaseResult[] = [];
  for (const [index, one] of entries.entries()) {
    const entry = { name, entry: String(index), title: 'the files', tags: folder.tags.of(name) };
    if ('observed' in one) {
      const actual = await observe(temp, Object.keys(one.observed));
      results.push(judge(entry, { recorded: one.observed, actual }));
      continue;
    }
    await prepare(one, temp);
    const argv = one.argv.map((word) => word.replaceAll('<WORK>', work));
    const env = Object.fromEntries(
      Object.entries(one.env).map(([key, value]) => [key, value.replaceAll('<WORK>', work)]),
    );
    const ended = await runProcess(join(dir, 'scripts/run'), argv, work, env);
    results.push(judge({ ...entry, title: `${one.comment}: ${one.argv.join(' ')}` }, replyOf(one, ended)));
  }
  return results;
}

function replyOf(one: RecordedCall, ended: Ended): Parameters<typeof judge>[1] {
  const { exit_code, stdout, stderr } = one;
  const result = outlineText(ended.stdout);
  const actual = {
    exit_code: ended.exit,
    stdout: /^<\w+ step=/.test(stdout) ? result : ended.stdout,
    stderr: describeStderr(stderr, ended.stderr),
  };
  return {
    recorded: { exit_code, stdout, stderr },
    actual,
    outlines: {
      recorded: { exit: exit_code, kind: /^<(\w+)/.exec(stdout)?.[1] ?? 'text' },
      actual: { exit: ended.exit ?? -1, kind: /^<(\w+)/.exec(result)?.[1] ?? 'text' },
    },
  };
}

function outlineText(stdout: string): string {
  try {
    const result: unknown = JSON.parse(stdout);
    if (isRecord(result) && 'kind' in result)
      return `<${String(result['kind'])} step=${String(result['step'])}>`;
  } catch {
    // Text that is no result is compared as it is.
  }
  return stdout;
}

/** Makes true what the words about a call say of the files before it. */
async function prepare({ comment, argv }: RecordedCall, temp: string): Promise<void> {
  const mode = /mode loosened to (\d+)/.exec(comment)?.[1];
  if (mode !== undefined) {
    for (const folder of await foldersIn(temp)) await chmod(join(temp, folder), Number.parseInt(mode, 8));
  }
  const id = argv[argv.indexOf('--session') + 1] ?? '';
  if (id.includes('/')) {
    // A path that leads out of the name of a session file, and again to a file.
    await mkdir(join(temp, `skill-kit-${id.split('/', 1)[0] ?? ''}`), { recursive: true });
    await writeFile(join(temp, VICTIM), '{}\n');
  }
}

async function observe(temp: string, keys: readonly string[]): Promise<unknown> {
  const folders = await foldersIn(temp);
  const sessions = join(temp, folders[0] ?? '');
  const file = (await readdir(sessions)).find((one) => one.endsWith('.jsonl')) ?? '';
  const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  const seen: Readonly<Record<string, () => unknown>> = {
    dir_name: () => folders,
    dir_mode: () => mode(sessions),
    file_mode: () => mode(join(sessions, file)),
    id_length: () => /([0-9a-f]+)\.jsonl$/.exec(file)?.[1]?.length,
    victim_still_exists: async () => (await readFile(join(temp, VICTIM)).catch(() => null)) !== null,
  };
  const values = await Promise.all(keys.map(async (key) => [key, await seen[key]?.()] as const));
  return Object.fromEntries(values);
}

async function foldersIn(temp: string): Promise<string[]> {
  const entries = await readdir(temp, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !/^skill-kit-[^s]/.test(entry.name))
    .map(({ name }) => name);
}
