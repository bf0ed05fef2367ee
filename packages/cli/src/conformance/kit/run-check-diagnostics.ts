import { dirname } from 'node:path';
import { checkSkill, type KitDiagnostic, runKit } from '@skillyard/kit/build';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder } from './kit-folder.ts';
import { RECORDED_NAME } from './kit-workspace.ts';

interface RecordedCheck {
  readonly skill: string;
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr_lines: readonly RecordedLine[];
}

type RecordedLine = { readonly summary: string } | RecordedFinding;

interface RecordedFinding {
  readonly mark: string;
  readonly rule: string;
  readonly location: string | null;
  readonly subskill_prefix: string | null;
  readonly quoted: readonly string[];
  readonly bracketed: readonly string[];
}

/** Rules that no recording knows: what they find is more, not something else. */
const OURS: ReadonlySet<string> = new Set(['dead-target', 'unreachable-step', 'reference-size']);

/** Checks the recorded skills and compares the findings, in whatever order they are found. */
export async function runCheckDiagnostics(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { skill, exit_code, stdout, stderr_lines } of recording as readonly RecordedCheck[]) {
    const { workspace } = folder;
    const said = await runCheck(workspace.entry(skill), workspace.dir);
    const found = checkSkill(await workspace.definition(skill), dirname(workspace.entry(skill)));
    const wanted = stderr_lines.filter((line) => 'rule' in line);
    const left = [...found];
    const missing = wanted.filter((finding) => {
      const at = left.findIndex((diagnostic) => isFinding(finding, diagnostic));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    const more = left.filter(({ rule }) => !OURS.has(rule));
    // What is found besides is counted, too; how it ends is then ours.
    const summary = left.length > more.length ? endOf(stderr_lines) : said.summary;
    const exit = said.exit;
    const entry = { name, entry: skill, title: `check of ${skill}`, tags: folder.tags.of(name, skill) };
    results.push(
      judge(entry, {
        recorded: { exit_code, stdout, summary: endOf(stderr_lines), missing: [], more: [] },
        actual: { exit_code: exit, stdout: said.stdout, summary, missing, more },
        outlines: { recorded: { exit: exit_code }, actual: { exit } },
      }),
    );
  }
  return results;
}

/** The command itself. What it says last may go on in words that were not recorded. */
async function runCheck(
  entry: string,
  cwd: string,
): Promise<{ readonly exit: number; readonly stdout: string; readonly summary: string }> {
  let [stdout, stderr] = ['', ''];
  const exit = await runKit(['check', entry, '--alias', RECORDED_NAME], {
    cwd,
    env: {},
    input: nothing(),
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
  });
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return { exit, stdout, summary: last.replace(/^(✓ Reference skill ).*/, '$1') };
}

function endOf(lines: readonly RecordedLine[]): string | undefined {
  const last = lines.at(-1);
  return last !== undefined && 'summary' in last ? last.summary : undefined;
}

async function* nothing(): AsyncGenerator<string> {
  // Nobody types anything.
}

function isFinding(wanted: RecordedFinding, { rule, severity, message, step, file }: KitDiagnostic): boolean {
  const { location } = wanted;
  const prefix = wanted.subskill_prefix ?? '';
  return (
    rule === wanted.rule &&
    wanted.mark === (severity === 'error' ? '✗' : '⚠') &&
    (location === null || location === step || location === file) &&
    message.startsWith(prefix) &&
    (prefix !== '' || !message.startsWith('[subskill:')) &&
    [...wanted.quoted, ...wanted.bracketed].every((text) => message.includes(text))
  );
}
