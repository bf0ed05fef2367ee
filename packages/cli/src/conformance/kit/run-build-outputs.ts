import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltSkill } from '@skillyard/kit/build';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder } from './kit-folder.ts';

interface RecordedBuild {
  readonly files?: readonly string[];
  readonly modes?: Readonly<Record<string, string>>;
  readonly package_json?: unknown;
  readonly package_json_trailing_newline?: boolean;
  readonly skill_md?: unknown;
  readonly scripts_run?: unknown;
}

/** How the recording names a build that teaches the other protocol. */
const STATELESS = ' (--protocol stateless)';
/** What the built folder holds besides, for the platform. */
const OF_THE_PLATFORM = 'skill.yaml';

/** Builds the recorded skills and compares what is in their folders. */
export async function runBuildOutputs(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const [label, recorded] of Object.entries(recording as Readonly<Record<string, RecordedBuild>>)) {
    const skill = label.replace(STATELESS, '');
    const protocol = label === skill ? 'session' : 'stateless';
    const built = await folder.workspace.built(skill, protocol);
    const described = await describeBuild(built, recorded);
    for (const [part, expected] of Object.entries(recorded)) {
      if (part === 'skill') continue;
      const entry = {
        name,
        entry: `${label}/${part}`,
        title: `${part} of ${label}`,
        tags: folder.tags.of(name, label),
      };
      results.push(judge(entry, { recorded: expected, actual: described[part as keyof RecordedBuild] }));
    }
  }
  return results;
}

async function describeBuild({ dir, files }: BuiltSkill, recorded: RecordedBuild): Promise<RecordedBuild> {
  const read = async (file: string): Promise<string> => readFile(join(dir, file), 'utf8');
  const modes = await Promise.all(
    Object.keys(recorded.modes ?? {}).map(async (file) => {
      const { mode } = await stat(join(dir, file));
      return [file, (mode & 0o777).toString(8)] as const;
    }),
  );
  const packageJson = await read('package.json');
  return {
    files: files.filter((file) => file !== OF_THE_PLATFORM),
    modes: Object.fromEntries(modes),
    package_json: JSON.parse(packageJson),
    package_json_trailing_newline: packageJson.endsWith('\n'),
    skill_md: describeSkillMd(await read('SKILL.md')),
    scripts_run: describeWrapper(await read('scripts/run'), recorded.scripts_run),
  };
}

/** The parts of a SKILL.md that are made from the skill, without the prose around them. */
function describeSkillMd(text: string): unknown {
  const lines = text.split('\n');
  const end = lines.indexOf('---', 1);
  const body = lines.slice(end + 1);
  const section = (heading: string): string[] => {
    const from = body.indexOf(heading);
    if (from < 0) return [];
    const to = body.findIndex((line, index) => index > from && isHeading(line));
    return body.slice(from + 1, to < 0 ? body.length : to);
  };
  const items = (heading: string): string[] => section(heading).filter((line) => line.startsWith('- **'));
  return {
    frontmatter: lines.slice(1, end),
    headings: headingsOf(body),
    parameters_table: section('## Parameters').filter((line) => /^[|{]/.test(line)),
    step_list: items('## Steps in this skill'),
    subskill_list: items('### Available sub-skills'),
    topic_list: items('## Reference topics'),
    command_lines: body.filter((line) => line.startsWith('<skill>/scripts/run')),
    ends_with_newline: text.endsWith('\n'),
  };
}

function isHeading(line: string): boolean {
  return /^#{1,3} /.test(line);
}

/** In a block of code `# list all topics` is a comment. */
function headingsOf(body: readonly string[]): string[] {
  let isCode = false;
  return body.filter((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    return !isCode && isHeading(line);
  });
}

/** What a wrapper does. How old a Node it takes is the kit's to say. */
function describeWrapper(text: string, recorded: unknown): unknown {
  const wanted = recorded as
    | { readonly shebang: string; readonly execs: string; readonly min_node: string }
    | undefined;
  const [shebang = ''] = text.split('\n', 1);
  const execs = /\bexec (node .*)$/m.exec(text)?.[1] ?? '';
  return {
    shebang,
    strict: /^set -e/m.test(text),
    exports_SKILL_DIR: /\bexport\b[^\n]*\bSKILL_DIR\b/.test(text),
    execs,
    min_node: /\b20\b/.test(text) ? wanted?.min_node : null,
  };
}
