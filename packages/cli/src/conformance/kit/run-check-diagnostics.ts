import { dirname } from 'node:path';
import { checkSkill, type KitDiagnostic } from '@skillyard/kit/build';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder } from './kit-folder.ts';

interface RecordedCheck {
  readonly skill: string;
  readonly exit_code: number;
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
  for (const { skill, exit_code, stderr_lines } of recording as readonly RecordedCheck[]) {
    const { workspace } = folder;
    const found = checkSkill(await workspace.definition(skill), dirname(workspace.entry(skill)));
    const wanted = stderr_lines.filter((line) => 'rule' in line);
    const left = [...found];
    const missing = wanted.filter((finding) => {
      const at = left.findIndex((diagnostic) => isFinding(finding, diagnostic));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    const more = left.filter(({ rule }) => !OURS.has(rule));
    const exit = found.some(({ severity }) => severity === 'error') ? 1 : 0;
    const entry = { name, entry: skill, title: `check of ${skill}`, tags: folder.tags.of(name, skill) };
    results.push(
      judge(entry, {
        recorded: { exit_code, missing: [], more: [] },
        actual: { exit_code: exit, missing, more },
        outlines: { recorded: { exit: exit_code }, actual: { exit } },
      }),
    );
  }
  return results;
}

function isFinding(wanted: RecordedFinding, { rule, severity, message, step, file }: KitDiagnostic): boolean {
  const { location } = wanted;
  const prefix = wanted.subskill_prefix ?? '';
  return (
    rule === wanted.rule &&
    (severity === 'error') === (wanted.mark === '✗') &&
    (location === null || location === step || location === file) &&
    message.startsWith(prefix) &&
    (prefix !== '' || !message.startsWith('[subskill:')) &&
    [...wanted.quoted, ...wanted.bracketed].every((text) => message.includes(text))
  );
}
