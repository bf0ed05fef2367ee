import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { isSkillName, metadataProblems } from '../skill/skill-metadata.ts';
import { SUPERVISOR_VERSION } from '../supervisor/supervisor-version.ts';
import { PYTHON_STARTER, SCRIPT_STARTER } from './starters.ts';

/** What a new program is written in. */
interface Language {
  readonly run: readonly string[];
  /** What the program is built from, where it is built. */
  readonly source?: string;
  /** The files that only this language has. */
  files(): Readonly<Record<string, string>>;
}

/** An error that is thrown names a line of the source. */
const BUILT = ['node', '--enable-source-maps', 'main.mjs'];

const LANGUAGES: Readonly<Record<string, Language>> = {
  typescript: { run: BUILT, source: 'main.ts', files: () => ({ 'main.ts': SCRIPT_STARTER }) },
  javascript: { run: BUILT, source: 'main.js', files: () => ({ 'main.js': SCRIPT_STARTER }) },
  python: {
    run: ['python3', 'main.py'],
    files: () => ({
      'main.py': PYTHON_STARTER,
      'skillprogram.py': readFileSync(new URL('../../templates/skillprogram.py', import.meta.url), 'utf8'),
    }),
  },
};

export interface Scaffold {
  /** Absolute; it need not be there. */
  readonly folder: string;
  readonly language: string;
  /** Empty: SKILL.md is there already. */
  readonly description: string;
  /** Whether there is a SKILL.md. */
  readonly isDescribed: boolean;
}

export interface Scaffolded {
  /** Files that were there, and stay as they were. */
  readonly preserved: readonly string[];
  /** Whether the manifest is one that was there and says something else: perhaps it starts another program than this. */
  readonly runsOther: boolean;
  /** Whether the program has to be built before it runs. */
  readonly isBuilt: boolean;
}

/**
 * Writes a program to begin with, and all that belongs to it. Files that are there stay.
 * @throws ProgramError USAGE when the name, the description or the language is none
 */
export async function scaffold(wanted: Scaffold): Promise<Scaffolded> {
  const { folder, description } = wanted;
  const language = checked(wanted);
  const name = basename(folder);
  const files = {
    ...language.files(),
    'SKILL.md': `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${name}\n\nThe workflow is a program; skill.json says how it is run.\n`,
    'skill.json': `${manifestText(wanted.language, language)}\n`,
    'fixtures/responses.json': '{\n  "confirm-start": {"value": "yes"}\n}\n',
    'fixtures/test.json':
      '{\n  "version": 1,\n  "setup": [],\n  "after_response": {},\n  "teardown": []\n}\n',
  };
  const preserved: string[] = [];
  let runsOther = false;
  for (const [file, text] of Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      preserved.push(file);
      runsOther ||= file === 'skill.json' && readFileSync(path, 'utf8') !== text;
    });
  }
  return { preserved, runsOther, isBuilt: language.source !== undefined };
}

function checked({ folder, language, description, isDescribed }: Scaffold): Language {
  const name = basename(folder);
  if (!isSkillName(name)) {
    throw usage('skill directory name must match [a-z0-9]+(-[a-z0-9]+)* and be at most 64 characters');
  }
  if (!isDescribed && description === '') {
    throw usage(
      '--description is required for a new skill; describe what it does and when an agent should use it',
    );
  }
  const [problem] = isDescribed ? [] : metadataProblems({ name, description }, folder);
  if (problem !== undefined) throw usage(problem);
  const found = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (found !== undefined) return found;
  throw usage(`unsupported language "${language}"; choose typescript, javascript, or python`);
}

function manifestText(language: string, { run, source }: Language): string {
  return JSON.stringify({ version: 1, yield_version: SUPERVISOR_VERSION, language, source, run });
}

function usage(message: string): ProgramError {
  return new ProgramError('USAGE', message);
}
